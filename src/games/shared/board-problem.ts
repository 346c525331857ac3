import { ByteWriter, decodeLatin1 } from '../../core/bytes.js';
import type { Board } from '../../formats/boards/board.js';
import type { BoardInputFormat } from '../../formats/boards/board-format.js';
import { simplerBoards } from '../../formats/boards/shrink-boards.js';
import { NIMBERS_AS_VALUES } from '../../problems/census.js';
import { findContestSet } from '../../problems/contest-sets.js';
import {
  ANY_BOARDS,
  type CaseOperations,
  type Problem,
  type ProblemContest,
} from '../../problems/problem.js';
import { enumerateBoards } from './board-listing.js';
import { BoardCaseMeasure } from './board-measure.js';
import type { BoardProblemParts, BoardSolvers } from './board-parts.js';
import {
  contestSetOfTest,
  createContestViolationFinder,
  createSetMembershipTests,
  describeContest,
} from './board-sets.js';
import { RandomBoardSource } from './board-source.js';

/** A problem whose cases are boards. */
export interface BoardProblem<Answer = unknown> extends Problem<Answer, Board> {
  readonly inputFormat: BoardInputFormat;
  readonly solvers: BoardSolvers<Answer>;
  readonly cases: CaseOperations<Board>;
  readonly contest: ProblemContest<Answer, Board>;
  /** What the folder of the game defines. */
  readonly parts: BoardProblemParts<Answer>;
}

/** Makes a `Problem` from the parts that a game's folder defines. */
export function defineBoardProblem<Answer>(parts: BoardProblemParts<Answer>): BoardProblem<Answer> {
  const { name, inputFormat, answerFormat, samples, constraints, contest, symmetries } = parts;
  const { hasNimbers, loadExplainer, solvers } = parts;
  const caseValues = parts.caseValues ?? (hasNimbers ? NIMBERS_AS_VALUES : undefined);
  return {
    parts,
    name,
    words: [name],
    reference: { kind: 'built-in', name },
    inputFormat,
    answerFormat,
    boardLines: { headTokens: inputFormat.headTokenCount, isRowOfBlocks: inputFormat.cellBytes === 2 },
    casesPerRun: constraints.cases,
    samples,
    caseColumns: {
      rows: ({ rows }) => rows,
      cols: ({ cols }) => cols,
      board: (board) => rowsOf(board, inputFormat),
    },
    ...(hasNimbers === undefined ? {} : { hasNimbers }),
    ...(caseValues === undefined ? {} : { caseValues }),
    cases: {
      ...(symmetries === null ? {} : { symmetries }),
      createSource: (request) => new RandomBoardSource(parts, request),
      enumerate: (request) => enumerateBoards(parts, request),
      simpler: (board) => simplerBoards(board, inputFormat),
      createMeasure: () => new BoardCaseMeasure(parts),
    },
    solvers: { ...solvers, createWarmUpCase: () => smallestBoard(parts) },
    contest: {
      data: describeContest(parts),
      setOfHead: (headValue) => contestSetOfTest(contest.sets, headValue),
      createFormat(name) {
        const set = findContestSet(parts.name, contest.sets, name);
        return inputFormat.narrowed(set?.limits ?? constraints, createContestViolationFinder(parts, set));
      },
      createSetTests: () => createSetMembershipTests(parts),
    },
    ...(loadExplainer === undefined ? {} : { loadExplainer }),
  };
}

/** Returns the rows of a board as they are printed in an input. */
function rowsOf(board: Board, format: BoardProblemParts<unknown>['inputFormat']): string[] {
  const out = new ByteWriter();
  format.printCase(board, out);
  const text = out.take();
  return decodeLatin1(text, 0, text.length).trimEnd().split('\n').slice(1);
}

/** Returns a board of the smallest size that the problem's solvers can solve. */
function smallestBoard(parts: BoardProblemParts<unknown>): Board {
  const { minRows, minCols } = parts.supportedLimits;
  const cols = Math.max(minCols, Math.ceil(parts.createGenerator().minCells / minRows));
  const boards = {
    ...ANY_BOARDS,
    rows: { from: minRows, to: minRows },
    cols: { from: cols, to: cols },
  };
  const request = { seed: 'warm-up', profile: 'random', cases: 1, maxSize: null, set: null, boards } as const;
  return new RandomBoardSource(parts, request).caseAt(0);
}
