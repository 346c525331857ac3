/**
 * Keeps open files of whoever started boardmill from the programs in a sandbox. A descriptor that boardmill has inherited would
 * be inherited on and on, and with that of a folder, a program reaches the whole file system.
 */
import { openSync, readdirSync, readFileSync } from 'node:fs';
import { devNull } from 'node:os';

/** The flag in /proc/self/fdinfo of a descriptor that programs do not inherit. Node sets it for all that it opens. */
const CLOSE_ON_EXEC = 0o2000000;
/** Standard input, output and error. */
const STANDARD_DESCRIPTORS = 3;

let covered: readonly ('ignore' | number)[] | null = null;

/**
 * Returns what `spawn` gets as `stdio` after the three standard descriptors: /dev/null in place of each descriptor that
 * boardmill has inherited. Without /proc, nothing is replaced.
 */
export function descriptorsHiddenFromChild(): readonly ('ignore' | number)[] {
  if (covered === null) {
    const inherited = inheritedDescriptors();
    const empty = inherited.length === 0 ? -1 : openSync(devNull, 'r+');
    const count = Math.max(0, ...inherited.map((descriptor) => descriptor - STANDARD_DESCRIPTORS + 1));
    covered = Array.from({ length: count }, (_, i) =>
      inherited.includes(i + STANDARD_DESCRIPTORS) ? empty : 'ignore',
    );
  }
  return covered;
}

function inheritedDescriptors(): number[] {
  return descriptors().filter(
    (descriptor) => descriptor >= STANDARD_DESCRIPTORS && !closesOnExec(descriptor),
  );
}

function descriptors(): number[] {
  try {
    return readdirSync('/proc/self/fd').map(Number);
  } catch {
    return [];
  }
}

/** Whether programs do not inherit a descriptor. The descriptor with which the folder was read is closed by now. */
function closesOnExec(descriptor: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'latin1'));
    return flags === null || (Number.parseInt(flags[1], 8) & CLOSE_ON_EXEC) !== 0;
  } catch {
    return true;
  }
}
