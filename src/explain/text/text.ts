/** Explanations as text for a terminal. */

import { pluralize } from '../../core/errors.js';
import { narrateBacterialTactics } from '../../games/bacterial-tactics/narration.js';
import { narrateDarkraft } from '../../games/darkraft/narration.js';
import { narrateLinkAndPop } from '../../games/link-and-pop/narration.js';
import { narrateRiverPawn } from '../../games/river-pawn/narration.js';
import { boardLines } from '../../games/shared/narration/board-text.js';
import type { MoveGroup, Narration } from '../../games/shared/narration/narration.js';
import {
  lineLength,
  printLines,
  type Style,
  type StyledLine,
  type TextLayoutOptions,
  wrapText,
} from '../../games/shared/narration/styled-text.js';
import type { Explanation } from '../../problems/explanation.js';
import { linesOfPlay } from './panels.js';

/** Smallest width, in columns, for which the text is laid out. */
const MIN_WIDTH = 20;
/** Largest number of winning moves that are listed, one on each line. */
const MAX_WINNING_MOVES = 15;
/** Largest number of other moves of one kind that are listed. */
const MAX_OTHER_MOVES = 30;

export const NARRATIONS: Readonly<Record<string, (explanation: Explanation) => Narration>> = {
  'bacterial-tactics': narrateBacterialTactics,
  darkraft: narrateDarkraft,
  'link-and-pop': narrateLinkAndPop,
  'river-pawn': narrateRiverPawn,
};

/**
 * Returns an explanation as text for people, with a line end after each line: the answer, the board, the first moves with their
 * outcomes, and best play with the boards in between. No line is longer than `layout.width`, if that is at least 20.
 */
export function explanationText(explanation: Explanation, layout: TextLayoutOptions): string {
  const width = Math.max(MIN_WIDTH, layout.width);
  const narration = NARRATIONS[explanation.problem](explanation);
  const sections = [
    headLines(explanation.case, narration, width),
    boardLines(narration.board, width),
    ...narration.moves.map((group) => moveLines(group, width)),
    playSection(narration, width),
    wrapText(narration.ending, width),
  ];
  return printLines(joinSections(sections), layout);
}

/** Joins sections with an empty line between two of them. Sections without text are left out. */
function joinSections(sections: readonly (readonly StyledLine[])[]): StyledLine[] {
  const used = sections.filter((lines) => lines.some((line) => lineLength(line) > 0));
  return used.flatMap((lines, i) => (i === 0 ? lines : [[], ...lines]));
}

function headLines(caseNumber: number, { answer, reason }: Narration, width: number): StyledLine[] {
  return [
    ...wrapText(`Case ${caseNumber}: ${answer}`, width, { style: 'strong' }),
    ...wrapText(reason, width),
  ];
}

const VERBS: Readonly<Record<MoveGroup['outcome'], { one: string; many: string; style: Style }>> = {
  win: { one: 'wins', many: 'win', style: 'good' },
  tie: { one: 'ties', many: 'tie', style: 'even' },
  lose: { one: 'loses', many: 'lose', style: 'bad' },
};

function moveLines({ outcome, moves }: MoveGroup, width: number): StyledLine[] {
  if (moves.length === 0) return [];
  const { one, many, style } = VERBS[outcome];
  const listed = moves.slice(0, outcome === 'win' ? MAX_WINNING_MOVES : MAX_OTHER_MOVES);
  const left = moves.length - listed.length;
  return [
    ...wrapText(`${pluralize(moves.length, 'move')} ${moves.length === 1 ? one : many}:`, width, { style }),
    ...(outcome === 'win' ? listed : [listed.join(', ')]).flatMap((text) =>
      wrapText(text, width, { indent: 2, hanging: outcome === 'win' ? 4 : 2 }),
    ),
    ...(left === 0 ? [] : wrapText(`… and ${left} more that ${many}`, width, { style: 'quiet', indent: 2 })),
  ];
}

function playSection({ play, board, playTitle }: Narration, width: number): StyledLine[] {
  if (play.length === 0) return [];
  return [...wrapText(playTitle, width), [], ...linesOfPlay(play, board, width)];
}
