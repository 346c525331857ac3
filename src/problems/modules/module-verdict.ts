import { BoardmillError } from '../../core/errors.js';

/** Calls a function of a module. Fails with kind `usage` if the function throws. */
export function callModuleFunction<T>(functionName: string, problem: string, call: () => T): T {
  try {
    return call();
  } catch (error) {
    throw new BoardmillError(
      'usage',
      `problem ${problem}: \`${functionName}\` failed: ${messageOfThrown(error)}`,
    );
  }
}

/** Returns, on one line, the message of whatever value was thrown. */
export function messageOfThrown(error: unknown): string {
  return textOfThrown(error).replace(/\s+/g, ' ').trim() || 'it threw an error without a message';
}

/** An author can throw anything, even an object that cannot be turned into a text. */
function textOfThrown(error: unknown): string {
  try {
    return String(error instanceof Error ? error.message : error);
  } catch {
    return 'it threw something that is not an error';
  }
}

/**
 * Calls `equal` or `valid`, and turns what it returned into null (yes), a text (no, and why) or an empty text (no). Fails with
 * kind `usage` if the function throws or returns anything else.
 */
export function callModulePredicate(
  functionName: string,
  problem: string,
  call: () => unknown,
): string | null {
  const verdict = callModuleFunction(functionName, problem, call);
  if (verdict === true) return null;
  if (verdict === false) return '';
  if (typeof verdict === 'string') return verdict.replace(/\s+/g, ' ').trim();
  throw new BoardmillError(
    'usage',
    `problem ${problem}: \`${functionName}\` must return true, false or a text, but returned ${verdict}`,
  );
}
