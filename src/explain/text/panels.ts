/** Boards with captions, side by side. A long play is shown by its first and its last boards. */
import { pluralize } from '../../core/errors.js';
import { boardLines, boardWidth, type StyledBoard } from '../../games/shared/narration/board-text.js';
import type { ShownPlay } from '../../games/shared/narration/narration.js';
import { padLine, type StyledLine, styledSpan, wrapText } from '../../games/shared/narration/styled-text.js';

interface Panel {
  readonly caption: string;
  readonly board: StyledBoard;
}

/** Number of columns between two panels. */
const GAP = 3;
/** Smallest width of a panel, if the terminal is that wide, so that captions are readable. */
const MIN_PANEL_WIDTH = 24;
/** Largest number of panels that are shown for one play. */
const MAX_PANELS = 12;
/** Largest number of lines that are shown for one play, unless two panels need more. */
const MAX_LINES = 120;
/** Number of lines of a panel besides the rows of its board: the caption, the column numbers, an empty line. */
const EXTRA_LINES = 4;

/** Returns the lines that show the boards of a play. `board` is the board before the first move. */
export function linesOfPlay(play: ShownPlay, board: StyledBoard, width: number): StyledLine[] {
  const panelWidth = Math.min(width, Math.max(MIN_PANEL_WIDTH, boardWidth(board, width)));
  const perLine = Math.floor((width + GAP) / (panelWidth + GAP));
  const linesOfPanels = Math.floor(MAX_LINES / (board.length + EXTRA_LINES));
  const shown = Math.max(2, Math.min(MAX_PANELS, linesOfPanels * perLine));
  const { first, last } = choosePanels(play, shown);
  const note = `… ${pluralize(play.length - shown, 'move')} later:`;
  const rowsOfPanels = [
    ...inLines(first, perLine, panelWidth),
    ...(last.length === 0 ? [] : [wrapText(note, width, { style: 'quiet' })]),
    ...inLines(last, perLine, panelWidth),
  ];
  return rowsOfPanels.flatMap((lines, i) => (i === 0 ? lines : [[], ...lines]));
}

/** Returns all panels if there are at most `shown`, otherwise the first and the last panels. */
function choosePanels(play: ShownPlay, shown: number): { first: Panel[]; last: Panel[] } {
  const isShort = play.length <= shown;
  const firstCount = isShort ? play.length : Math.ceil(shown / 2);
  const lastStart = isShort ? play.length : play.length - (shown - firstCount);
  const [first, last]: [Panel[], Panel[]] = [[], []];
  let index = 0;
  for (const step of play.steps()) {
    const panels = index < firstCount ? first : index >= lastStart ? last : null;
    panels?.push({ caption: `${index + 1}. ${step.caption()}`, board: step.board() });
    index++;
  }
  return { first, last };
}

function inLines(panels: readonly Panel[], perLine: number, panelWidth: number): StyledLine[][] {
  const lines: StyledLine[][] = [];
  for (let start = 0; start < panels.length; start += perLine)
    lines.push(sideBySide(panels.slice(start, start + perLine), panelWidth));
  return lines;
}

function sideBySide(panels: readonly Panel[], panelWidth: number): StyledLine[] {
  const captions = panels.map(({ caption }) => wrapText(caption, panelWidth, { style: 'strong' }));
  const captionHeight = Math.max(...captions.map((lines) => lines.length));
  const columns = panels.map(({ board }, i) => [
    ...Array.from({ length: captionHeight }, (_, line) => captions[i].at(line) ?? []),
    ...boardLines(board, panelWidth),
  ]);
  return columns[0].map((_, line) => columns.flatMap((column) => panelLine(column[line], panelWidth)));
}

function panelLine(line: StyledLine, panelWidth: number): StyledLine {
  return [...padLine(line, panelWidth), styledSpan(' '.repeat(GAP))];
}
