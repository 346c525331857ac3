/** A program solves the cases, perhaps in a sandbox, and perhaps it fails on some of them. */
import fc from 'fast-check';
import type { Style } from '../../support/inputs.js';
import { program as commandOf, SOLVED_BY_AWK, withPath } from '../../support/programs.js';
import { launcher } from '../../support/sandbox.js';
import type { GoodCase } from '../answers.js';
import { judge, type Verdict } from '../model.js';
import { anyInput, anyOptions, anyStyle, type Options } from '../scenario.js';
import type { World } from '../world.js';
import { anyFile, defineStory, expectRun, type OUTPUT, shown, solveWords } from './story.js';

/** Ways of a program to fail on the boards of one cell, after which it answers nothing. */
const FLAWS = ['', 'exit-on-1x1', 'crash-on-1x1'] as const;
type Flaw = (typeof FLAWS)[number];

interface Plan {
  readonly style: Style;
  readonly bytes: Uint8Array;
  readonly options: Options;
  readonly flaw: Flaw;
  /** The largest number of cases of a run of the program, as `--exec-cases`. */
  readonly cases: string | null;
  readonly isSandboxed: boolean;
  /** Whether a program that is named without a path gets one. */
  readonly hasPath: boolean;
  readonly file: typeof OUTPUT | null;
  readonly verdict: Verdict;
}

export const program = defineStory<Plan>({
  name: 'program',
  what: 'a program solves the cases',
  weight: 4,
  features: [
    'right',
    'fails',
    'fails and is marked',
    'a bad input',
    ...(launcher === null ? [] : ['in a sandbox']),
  ],
  plans: anyStyle.chain(anyPlan),
  shows,
  describe: ({ flaw, cases, isSandboxed, hasPath, style, options }) =>
    `program ${flaw}${hasPath ? ', with its path' : ''}, ${cases} cases a run${isSandboxed ? ', in a sandbox' : ''}: ${shown(style, options)}`,
  play,
});

function anyPlan(style: Style): fc.Arbitrary<Plan> {
  // The programs of the other problems take a hundred times as long to start.
  const isFast = SOLVED_BY_AWK.includes(style.name);
  return fc
    .record({
      input: anyInput(style, { minCases: 1, maxCases: isFast ? 60 : 20, mistakes: 'some' }),
      options: anyOptions(style),
      flaw: fc.constantFrom(...FLAWS),
      cases: fc.constantFrom(...(isFast ? [null, '1', '7', '1000'] : [null, '1000'])),
      isSandboxed: fc.boolean().map((isWanted) => isWanted && isFast && launcher !== null),
      hasPath: fc.boolean().map((isWanted) => isWanted && isFast),
      file: anyFile,
    })
    .map(({ input: { bytes }, options: { look, how, ...options }, ...plan }) => {
      // A program is the solver, and prints no nimbers.
      const columns = look.columns.filter((name) => name !== 'nimber');
      const fails = plan.flaw === '' ? undefined : isTiny(style);
      const verdict = judge(style, { ...look, columns }, 'a.in', bytes, fails);
      return {
        ...plan,
        style,
        bytes,
        options: { ...options, how: { ...how, solver: null }, look: { ...look, columns } },
        verdict,
      };
    });
}

const isTiny =
  ({ letters }: Style) =>
  ({ rows, cells }: GoodCase) =>
    rows === 1 && cells.length === letters.length;

function shows({ verdict: { end, failed, codes }, isSandboxed, options }: Plan): string[] {
  const isMarked = options.look.onError === 'mark';
  return [
    ...(failed.length > 0 ? [isMarked ? 'fails and is marked' : 'fails'] : []),
    ...(failed.length === 0 && end === 'reached' ? ['right'] : []),
    ...(codes.includes(3) ? ['a bad input'] : []),
    ...(isSandboxed ? ['in a sandbox'] : []),
  ];
}

async function play(world: World, plan: Plan): Promise<void> {
  const { style, bytes, options, flaw, cases, isSandboxed, hasPath, file, verdict } = plan;
  world.put('a.in', bytes);
  const command = commandOf(style.name, flaw);
  const words = [
    ...solveWords(style, ['a.in'], options, file),
    ...['--exec', hasPath ? withPath(command) : command],
    ...(cases === null ? [] : ['--exec-cases', cases]),
    ...(isSandboxed ? ['--sandbox'] : []),
  ];
  const outcome = await world.run(words);
  for (const number of verdict.failed) world.expectSaved(`${style.name}-a-case-${number}.in`);
  expectRun(world, outcome, verdict, options, file);
}
