/** Explanations as text for a terminal. */

import { pluralize } from '../../core/errors.js';
import { tellBacterialTactics } from '../../games/bacterial-tactics/story.js';
import { tellDarkraft } from '../../games/darkraft/story.js';
import { tellLinkAndPop } from '../../games/link-and-pop/story.js';
import { tellRiverPawn } from '../../games/river-pawn/story.js';
import { boardLines } from '../../games/shared/story/board-text.js';
import type { MoveGroup, Story } from '../../games/shared/story/story.js';
import {
  lineLength,
  printLines,
  type Style,
  type StyledLine,
  type TextLayout,
  wrapText,
} from '../../games/shared/story/styled-text.js';
import type { Explanation } from '../../problems/explanation.js';
import { playLines } from './panels.js';

/** Smallest width, in columns, for which the text is laid out. */
const MIN_WIDTH = 20;
/** Largest number of winning moves that are listed, one on each line. */
const MAX_WINNING_MOVES = 15;
/** Largest number of other moves of one kind that are listed. */
const MAX_OTHER_MOVES = 30;

const STORIES: Readonly<Record<string, (explanation: Explanation) => Story>> = {
  'bacterial-tactics': tellBacterialTactics,
  darkraft: tellDarkraft,
  'link-and-pop': tellLinkAndPop,
  'river-pawn': tellRiverPawn,
};

/**
 * Returns an explanation as text for people, with a line end after each line: the answer, the board, the first moves with their
 * outcomes, and best play with the boards in between. No line is longer than `layout.width`, if that is at least 20.
 */
export function explanationText(explanation: Explanation, layout: TextLayout): string {
  const width = Math.max(MIN_WIDTH, layout.width);
  const story = STORIES[explanation.problem](explanation);
  const sections = [
    headLines(explanation.case, story, width),
    boardLines(story.board, width),
    ...story.moves.map((group) => moveLines(group, width)),
    playSection(story, width),
    wrapText(story.ending, width),
  ];
  return printLines(joinSections(sections), layout);
}

/** Joins sections with an empty line between two of them. Sections without text are left out. */
function joinSections(sections: readonly (readonly StyledLine[])[]): StyledLine[] {
  const used = sections.filter((lines) => lines.some((line) => lineLength(line) > 0));
  return used.flatMap((lines, i) => (i === 0 ? lines : [[], ...lines]));
}

function headLines(caseNumber: number, { answer, reason }: Story, width: number): StyledLine[] {
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

function playSection({ play, board, playTitle }: Story, width: number): StyledLine[] {
  if (play.length === 0) return [];
  return [...wrapText(playTitle, width), [], ...playLines(play, board, width)];
}
