/**
 * A folder is solved day after day. Between the runs, its inputs are added, changed, damaged, mended and removed, and somebody
 * may write into answers. Some runs are stopped or killed. At the end, everything is solved once more.
 */
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import type { Outcome } from '../../cli/boardmill.js';
import { anyDamage, anyShare, applyDamage, type Damage, type Style } from '../../support/inputs.js';
import { hideWords } from '../answers.js';
import { filesAfter, judge, type Verdict } from '../model.js';
import {
  anyHow,
  anyInput,
  anyLargeInput,
  type How,
  type Input,
  type Options,
  withOtherLetter,
} from '../scenario.js';
import type { World } from '../world.js';
import { answersTo, anyPlace, PLACES, type Place } from './answer-places.js';
import {
  anyOptionsWithoutStats,
  anyStyleAndSize,
  chunksFor,
  codeAfter,
  defineStory,
  FOLDER,
  SIGNALS,
  type Signal,
  shown,
  solveWords,
} from './story.js';

const EVENTS = [
  'added',
  'changed',
  'damaged',
  'mended',
  'written again',
  'removed',
  'answers spoilt',
] as const;
type EventKind = (typeof EVENTS)[number];

/** What happens to one input of the folder, or to its answers. */
interface Event {
  readonly kind: EventKind;
  /** The index of the input. */
  readonly index: number;
  /** Where it is changed, as a share of its length. */
  readonly place: number;
  readonly damage: Damage;
}

/** A day: first something happens to the folder, and then it is solved. */
interface Day {
  readonly events: readonly Event[];
  readonly how: How;
  readonly again: '--resume' | '--force' | null;
  /** The signal that the run gets as soon as it has written anything for the input `victim`; null if it is not disturbed. */
  readonly signal: Signal | null;
  readonly victim: number;
}

interface Plan {
  readonly style: Style;
  readonly inputs: readonly Input[];
  readonly options: Options;
  readonly place: Place;
  readonly days: readonly Day[];
}

export const history = defineStory<Plan>({
  name: 'history',
  what: 'a folder is solved day after day, while its inputs change and runs are stopped',
  weight: 8,
  isSlow: true,
  features: [...EVENTS, ...SIGNALS, '--resume', '--force'],
  plans: anyStyleAndSize.chain(({ style, isLarge }) => anyPlan(style, isLarge)),
  shows: ({ days }) =>
    days.flatMap(({ events, again, signal }) => [
      ...events.map(({ kind }) => kind),
      ...[again, signal].filter((each) => each !== null),
    ]),
  describe: ({ style, options, place, days }) =>
    `history of ${days.length} days, ${place}: ${shown(style, options)}`,
  play,
});

function anyPlan(style: Style, isLarge: boolean): fc.Arbitrary<Plan> {
  const small = anyInput(style, { maxCases: 40, mistakes: 'some' });
  return fc.record({
    style: fc.constant(style),
    inputs: fc.tuple(isLarge ? anyLargeInput(style, 'some') : small, small, small, small),
    options: anyOptionsWithoutStats(style),
    place: anyPlace,
    days: fc.array(anyDay(isLarge), { minLength: 2, maxLength: 5 }),
  });
}

function anyDay(isLarge: boolean): fc.Arbitrary<Day> {
  return fc.record({
    events: fc.array(
      fc.record({
        kind: fc.constantFrom(...EVENTS),
        index: fc.nat(FOLDER.length - 1),
        place: anyShare(),
        damage: anyDamage(),
      }),
      { maxLength: 3 },
    ),
    how: anyHow(chunksFor(isLarge)),
    again: fc.constantFrom(null, null, '--resume' as const, '--resume' as const, '--force' as const),
    signal: fc.constantFrom(null, null, null, ...SIGNALS),
    victim: fc.nat(FOLDER.length - 1),
  });
}

async function play(world: World, plan: Plan): Promise<void> {
  const folder = new Folder(world, plan);
  for (const index of FOLDER.keys()) if (index > 0) folder.write(index, plan.inputs[index].bytes);
  for (const day of plan.days) {
    for (const event of day.events) folder.change(event);
    await folder.solve(day);
  }
  await folder.solve({ events: [], how: plan.options.how, again: '--force', signal: null, victim: 0 });
}

/** What is known of one input: its bytes, null while it is missing, and what its answers may be. */
interface Member {
  readonly name: string;
  /** The path of the answers. */
  readonly answers: string;
  bytes: Uint8Array<ArrayBuffer> | null;
  /** The answers to every good version of the input that there has been. */
  readonly possible: Set<string>;
  /** Whether the model knows the answers to every version so far. */
  isKnown: boolean;
  /** What somebody has written into the answers; null if the answers are those of boardmill. */
  spoilt: string | null;
}

/** The files of an input, as they were before a run. */
type Files = Readonly<Record<'answers' | 'partial' | 'checkpoint', string | null>>;

/** A folder, and what the runs on it may do. */
class Folder {
  readonly #world: World;
  readonly #plan: Plan;
  readonly #members: readonly Member[];

  constructor(world: World, plan: Plan) {
    this.#world = world;
    this.#plan = plan;
    this.#members = FOLDER.map((name) => ({
      name,
      answers: answersTo(name, plan.place, plan.options.look.format),
      bytes: null,
      possible: new Set(),
      isKnown: true,
      spoilt: null,
    }));
  }

  // ---- what happens between the runs ----

  write(index: number, bytes: Uint8Array<ArrayBuffer>): void {
    const member = this.#members[index];
    member.bytes = bytes;
    this.#world.put(member.name, bytes);
    const verdict = this.#judge(member);
    if (verdict.end === 'reached') member.possible.add(verdict.answers);
    if (verdict.end === 'unknown') member.isKnown = false;
  }

  change({ kind, index, place, damage }: Event): void {
    const { style, inputs } = this.#plan;
    const { name, bytes } = this.#members[index];
    if (kind === 'added' && bytes === null) this.write(index, inputs[index].bytes);
    if (kind === 'mended') this.write(index, inputs[index].good);
    if (kind === 'answers spoilt') this.#spoil(this.#members[index]);
    if (bytes === null) return;
    if (kind === 'changed') this.write(index, withOtherLetter(style, bytes, place));
    if (kind === 'damaged') this.write(index, applyDamage(bytes, damage));
    if (kind === 'written again') this.write(index, bytes);
    if (kind === 'removed' && this.#members.filter((each) => each.bytes !== null).length > 1) {
      this.#world.forget(name);
      this.#members[index].bytes = null;
    }
  }

  /** Somebody writes into the answers, if there are any. */
  #spoil(member: Member): void {
    if (!this.#world.has(member.answers)) return;
    member.spoilt = 'notes of somebody\n';
    this.#world.overwrite(member.answers, member.spoilt);
  }

  // ---- runs ----

  async solve(day: Day): Promise<void> {
    const { style, options, place } = this.#plan;
    const words = [
      ...solveWords(style, ['data'], { ...options, how: day.how }, null),
      ...PLACES[place],
      ...(day.again === null ? [] : [day.again]),
    ];
    const before = this.#members.map((member) => this.#filesOf(member));
    if (day.signal === null) this.#expectEnded(await this.#world.run(words), day, before);
    else this.#expectStopped(await this.#runUntilSignal(words, day), day, day.signal, before);
    // Answers that boardmill has made again are its own.
    for (const member of this.#members)
      if (this.#textOf(member.answers) !== member.spoilt) member.spoilt = null;
  }

  /** Runs boardmill, and sends the signal as soon as the answers to the victim, or a part of them, have changed. */
  #runUntilSignal(words: readonly string[], { signal, victim }: Day): Promise<Outcome> {
    const { answers } = this.#members[victim];
    const sizes = () => [answers, `${answers}.partial`].map((name) => this.#world.size(name)).join();
    const before = sizes();
    return this.#world.runUntil(words, null, signal!, () => sizes() !== before);
  }

  /** A run that came to its end has solved each input, or it was refused because of what somebody has written. */
  #expectEnded(outcome: Outcome, day: Day, before: readonly Files[]): void {
    const isAtRisk = ({ bytes, spoilt }: Member) =>
      bytes !== null && spoilt !== null && day.again !== '--force';
    const mayRefuseAll = this.#members.some(isAtRisk);
    // If a run was interrupted before it replaced what somebody wrote, only this input counts as failed.
    const mustRefuseAll = this.#members.some((member, i) => isAtRisk(member) && !isInterrupted(before[i]));
    const isUnchanged = this.#members.every((member, i) =>
      isDeepStrictEqual(this.#filesOf(member), before[i]),
    );
    if (mustRefuseAll || (mayRefuseAll && outcome.code === 2 && isUnchanged)) {
      this.#world.expectOutcome(outcome, { codes: [2], stdout: (text) => text === '' });
      this.#world.expect('a run that is refused must change no file', isUnchanged);
    } else this.#expectSolved(outcome, day, before);
  }

  /** Each input is solved, unless an interrupted run has left something. */
  #expectSolved(outcome: Outcome, day: Day, before: readonly Files[]): void {
    const verdicts = this.#members.map((member) => (member.bytes === null ? null : this.#judge(member)));
    let allowed = [0];
    for (const [i, member] of this.#members.entries()) {
      this.#expectKept(member, day, before[i]);
      const verdict = verdicts[i];
      if (verdict === null) continue;
      const codes = this.#codesOf(member, verdict, day, before[i]);
      allowed = allowed.flatMap((gravest) => codes.map((code) => Math.max(gravest, code)));
    }
    this.#world.expectOutcome(outcome, { codes: allowed, stdout: (text) => text === '' });
  }

  /** Compares the files of an input with its verdict. Returns with which codes its part of the run may have ended. */
  #codesOf(member: Member, verdict: Verdict, { again }: Day, before: Files): readonly number[] {
    const mayBeRefused = again !== '--force' && isInterrupted(before);
    const after = this.#filesOf(member);
    const isRefused = mayBeRefused && isDeepStrictEqual(after, before);
    if (verdict.end === 'unknown') return [...verdict.codes, ...(isRefused ? [2] : [])];
    const isSolved = this.#isSolved(member, verdict, before);
    this.#world.expect(`${member.name} must be solved as the model says, or refused`, isSolved || isRefused);
    return [...(isSolved ? verdict.codes : []), ...(isRefused ? [2] : [])];
  }

  #isSolved(member: Member, verdict: Verdict, before: Files): boolean {
    const wanted = filesAfter(verdict, member.answers);
    const after = this.#filesOf(member);
    const is = (suffix: string, text: string | null) => {
      const name = `${member.answers}${suffix}`;
      return name in wanted
        ? text !== null && [null, hideWords(text, this.#format)].includes(wanted[name])
        : text === null;
    };
    // Old answers stay until there are new ones.
    const isOld = verdict.end === 'fault' && after.answers === before.answers;
    return (
      (isOld || is('', after.answers)) && is('.partial', after.partial) && is('.checkpoint', after.checkpoint)
    );
  }

  /** Answers are whole, whatever happened, and what somebody has written is not replaced without `--force`. */
  #expectKept(member: Member, { again }: Day, before: Files): void {
    const text = this.#textOf(member.answers);
    if (member.spoilt !== null && again !== '--force')
      this.#world.expect(`${member.answers} must be kept, because somebody wrote it`, text === member.spoilt);
    const isWhole = text === null || !member.isKnown || member.possible.has(hideWords(text, this.#format));
    this.#world.expect(
      `${member.answers} must be all answers to a version of its input`,
      isWhole || text === member.spoilt || text === before.answers,
    );
  }

  #expectStopped(outcome: Outcome, day: Day, signal: Signal, before: readonly Files[]): void {
    // A process that has ended its run no longer listens for signals, so that a late one ends it as any process.
    const isStopped = outcome.code === codeAfter(signal) || outcome.code === signal;
    if (!isStopped) this.#expectEnded(outcome, day, before);
    else for (const [i, member] of this.#members.entries()) this.#expectKept(member, day, before[i]);
  }

  // ---- files ----

  get #format() {
    return this.#plan.options.look.format;
  }

  #judge({ name, bytes }: Member): Verdict {
    return judge(this.#plan.style, this.#plan.options.look, name, bytes!);
  }

  #filesOf({ answers }: Member): Files {
    return {
      answers: this.#textOf(answers),
      partial: this.#textOf(`${answers}.partial`),
      checkpoint: this.#textOf(`${answers}.checkpoint`),
    };
  }

  #textOf(name: string): string | null {
    return this.#world.has(name) ? this.#world.read(name) : null;
  }
}

/** Whether there is something that an interrupted or failed run has left. */
const isInterrupted = ({ partial, checkpoint }: Files) => partial !== null || checkpoint !== null;
