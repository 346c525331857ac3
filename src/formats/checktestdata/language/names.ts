/** Finds the variables that the commands of a grammar use, and the order in which they use them. */
import { Regex } from './regex.js';
import type {
  GrammarCommand,
  GrammarCondition,
  GrammarExpression,
  GrammarPlace,
  LoopCommand,
  VariableExpression,
} from './syntax.js';
import { allGrammarCommands, blocksOf, conditionsOfCommand, operandsOf } from './walk.js';

export interface VariableAccess {
  readonly name: string;
  readonly at: GrammarPlace;
  /** How a command uses the name: `input` reads its value from the input, `set` calculates its value, `use` needs its value. */
  readonly kind: 'input' | 'set' | 'use';
}

/** Returns all accesses to variables, in the order in which the commands make them. Both branches of an IF are included. */
export function accessesOf(commands: readonly GrammarCommand[]): VariableAccess[] {
  return commands.flatMap(commandAccesses);
}

function commandAccesses(command: GrammarCommand): VariableAccess[] {
  switch (command.kind) {
    case 'space':
    case 'newline':
    case 'eof':
      return [];
    case 'text':
      return accessesInExpressions(command.value);
    case 'int':
      return [...accessesInExpressions(command.min, command.max), ...assigned(command.variable, 'input')];
    case 'float-number': {
      const { min, max, decimals, variable } = command;
      const bounds = decimals === null ? [min, max] : [min, max, decimals.min, decimals.max];
      return [...accessesInExpressions(...bounds), ...assigned(variable, 'input')];
    }
    case 'regex':
      return [...accessesInExpressions(command.pattern), ...assigned(command.variable, 'input')];
    case 'assert':
      return accessesInExpressions(command.test);
    case 'set':
      return command.assignments.flatMap(({ variable, value }) => [
        ...accessesInExpressions(value),
        ...assigned(variable, 'set'),
      ]);
    case 'unset':
      return [];
    case 'loop':
      return [
        ...assigned(command.index, 'set'),
        ...accessesInExpressions(command.count ?? command.condition!),
        ...accessesOf(command.body),
        ...(command.separator === null ? [] : commandAccesses(command.separator)),
      ];
    case 'if':
      return [
        ...accessesInExpressions(command.test),
        ...accessesOf(command.then),
        ...accessesOf(command.otherwise),
      ];
  }
}

function assigned(variable: VariableExpression | null, kind: 'input' | 'set'): VariableAccess[] {
  if (variable === null) return [];
  return [...accessesInExpressions(...variable.indices), { name: variable.name, at: variable.at, kind }];
}

/** Returns the accesses to variables in expressions and tests. */
export function accessesInExpressions(
  ...nodes: readonly (GrammarExpression | GrammarCondition)[]
): VariableAccess[] {
  return nodes.flatMap((node) => [
    ...accessesInExpressions(...operandsOf(node)),
    ...namesOf(node).map((name) => ({ name, at: node.at, kind: 'use' as const })),
  ]);
}

/** Returns the names in an expression or a test, except the names in its operands. */
function namesOf(node: GrammarExpression | GrammarCondition): readonly string[] {
  if (node.kind === 'unique') return node.names;
  return node.kind === 'variable' || node.kind === 'in-array' ? [node.name] : [];
}

/** Returns the names that the expressions use. */
export function namesInExpressions(...expressions: readonly GrammarExpression[]): Set<string> {
  return new Set(accessesInExpressions(...expressions).map(({ name }) => name));
}

/** Returns the names of the variables to which the commands give a value. */
export function assignedNames(commands: readonly GrammarCommand[]): Set<string> {
  return new Set(accessesOf(commands).flatMap(({ name, kind }) => (kind === 'use' ? [] : [name])));
}

export function namesInBoth(one: ReadonlySet<string>, other: ReadonlySet<string>): Set<string> {
  return new Set([...one].filter((name) => other.has(name)));
}

/** Returns the names of the variables without indices to which the commands may give an integer. */
export function integerNames(commands: readonly GrammarCommand[]): Set<string> {
  const variables = allGrammarCommands(commands).flatMap((command) => {
    if (command.kind === 'int') return command.variable ?? [];
    if (command.kind === 'loop') return command.index ?? [];
    return command.kind === 'set' ? command.assignments.map(({ variable }) => variable) : [];
  });
  return new Set(variables.flatMap(({ name, indices }) => (indices.length === 0 ? [name] : [])));
}

/** Returns the first use of a name that neither `known` has nor an earlier command has set. */
export function firstUndefined(
  accesses: readonly VariableAccess[],
  known: ReadonlySet<string>,
): VariableAccess | null {
  const set = new Set(known);
  for (const access of accesses) {
    if (access.kind !== 'use') set.add(access.name);
    else if (!set.has(access.name)) return access;
  }
  return null;
}

/** Returns the names in the counts of all loops among the commands. */
export function namesInLoopCounts(commands: readonly GrammarCommand[]): Set<string> {
  const names = new Set<string>();
  for (const command of allGrammarCommands(commands))
    if (command.kind === 'loop' && command.count !== null)
      for (const { name } of accessesInExpressions(command.count)) names.add(name);
  return names;
}

const READ_NOTHING = ['eof', 'assert', 'set', 'unset', 'loop', 'if'];

/** Whether one of the commands reads any text of the input. A test for the end of the input does not count. */
export function readsInput(commands: readonly GrammarCommand[]): boolean {
  return allGrammarCommands(commands).some(({ kind }) => !READ_NOTHING.includes(kind));
}

/** Whether the commands may read only whitespace, or nothing. */
export function mayReadOnlyWhitespace(commands: readonly GrammarCommand[]): boolean {
  return commands.every((command) => {
    switch (command.kind) {
      case 'int':
      case 'float-number':
        return false;
      case 'text':
        return command.value.kind !== 'string' || command.value.text.trim() === '';
      case 'regex':
        return command.pattern.kind !== 'string' || new Regex(command.pattern.text).matchesWhitespace();
      case 'if':
        return mayReadOnlyWhitespace(command.then) || mayReadOnlyWhitespace(command.otherwise);
      default:
        // A loop may have no iterations, and all remaining kinds of commands read only whitespace or nothing.
        return true;
    }
  });
}

/** Whether a line of what the commands read may be blank, because an expression of a REGEX matches no more than whitespace. */
export function mayReadBlankLine(commands: readonly GrammarCommand[]): boolean {
  return allGrammarCommands(commands).some(
    (command) => command.kind === 'regex' && mayReadOnlyWhitespace([command]),
  );
}

/** Whether the first line of what the commands read may be blank, or a MATCH decides whether it is. */
export function mayBeginBlank(commands: readonly GrammarCommand[]): boolean {
  for (const command of commands) {
    if (looksAhead(command)) return true;
    switch (command.kind) {
      case 'newline':
        return true;
      case 'space':
        break;
      case 'text':
        return command.value.kind !== 'string' || /^\s*(\n|$)/.test(command.value.text);
      case 'regex':
        return command.pattern.kind !== 'string' || new Regex(command.pattern.text).mayBeginBlank();
      default:
        if (blocksOf(command).some(mayBeginBlank)) return true;
        if (certainlyReads(command)) return false;
    }
  }
  return false;
}

/** Whether a command always reads some of the input. A loop may have no iterations. */
function certainlyReads(command: GrammarCommand): boolean {
  if (command.kind === 'if')
    return [command.then, command.otherwise].every((block) => block.some(certainlyReads));
  return command.kind !== 'loop' && readsInput([command]);
}

/** Whether the condition is `!ISEOF`, so that its loop reads the input to its end. */
export function readsToEnd(condition: GrammarCondition | null): boolean {
  return condition?.kind === 'not' && condition.operand.kind === 'is-eof';
}

/** Whether the loop may end or go on because of whitespace that follows. */
export function looksForWhitespace(loop: LoopCommand): boolean {
  return conditionsOfCommand(loop).some(
    (test) => test.kind === 'match' && (test.letters.kind !== 'string' || /\s/.test(test.letters.text)),
  );
}

function looksAhead(command: GrammarCommand): boolean {
  return conditionsOfCommand(command).some(({ kind }) => kind === 'match');
}

/** Whether the commands may begin with text that contains whitespace, or with a test that looks at the next byte. */
export function beginsExactly(commands: readonly GrammarCommand[]): boolean {
  for (const command of commands) {
    switch (command.kind) {
      case 'regex':
      case 'text':
        return true;
      case 'int':
      case 'float-number':
      case 'space':
      case 'newline':
        return false;
      case 'loop':
      case 'if':
        if (looksAhead(command)) return true;
        if (blocksOf(command).some(beginsExactly)) return true;
        break;
      default:
    }
  }
  return false;
}

/** Whether the commands use a variable in any other way than as a single index, as in `a[i]`. */
export function usesBeyondIndexing(node: unknown, name: string): boolean {
  if (typeof node !== 'object' || node === null) return false;
  if (isVariableNamed(node, name)) return true;
  const { kind, indices } = node as Partial<VariableExpression>;
  if (kind === 'variable') {
    return indices!.some((index) => !isVariableNamed(index, name) && usesBeyondIndexing(index, name));
  }
  return Object.values(node).some((part) => usesBeyondIndexing(part, name));
}

function isVariableNamed(node: object, name: string): boolean {
  const { kind, name: found, indices } = node as Partial<VariableExpression>;
  return kind === 'variable' && found === name && indices!.length === 0;
}
