/** Ends all processes that a test run has started, also those that have left its process group. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** A killed process may have started another one a moment before. */
const MAX_ROUNDS = 5;

/**
 * Kills a process group, all descendants of its leader, and all processes that use the folder: their environment names it, or
 * they work in it. Without /proc, only the process group is killed.
 * @param {number} leader
 * @param {string} folder the folder for temporary files of the run, which no other run uses
 */
export function killRun(leader, folder) {
  // The descendants are listed before their parents die, because then they have other parents.
  const descendants = descendantsOf(leader);
  kill(-leader);
  for (const pid of descendants) kill(pid);
  killUsersOf(folder);
}

/**
 * Kills all processes that use a folder, such as those of a run that was killed itself.
 * @param {string} folder
 */
export function killUsersOf(folder) {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const users = processes().filter((pid) => uses(pid, folder));
    if (users.length === 0) return;
    for (const pid of users) kill(pid);
  }
}

function kill(pid) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

function descendantsOf(leader) {
  const children = childrenByParent(processes());
  const found = [leader];
  // A loop over an array also visits what is added during the loop.
  for (const pid of found) found.push(...(children.get(pid) ?? []));
  return found;
}

function childrenByParent(pids) {
  const children = new Map();
  for (const pid of pids) {
    const parent = parentOf(pid);
    children.set(parent, [...(children.get(parent) ?? []), pid]);
  }
  return children;
}

function processes() {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

function parentOf(pid) {
  // The name of the program, in parentheses, may contain anything.
  return Number(/\) \S (\d+) [^)]*$/.exec(read(`/proc/${pid}/stat`))?.[1] ?? 0);
}

function uses(pid, folder) {
  return pid !== process.pid && (read(`/proc/${pid}/environ`).includes(`${folder}/`) || worksIn(pid, folder));
}

function worksIn(pid, folder) {
  try {
    return readlinkSync(`/proc/${pid}/cwd`).startsWith(`${folder}/`);
  } catch {
    return false;
  }
}

function read(path) {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
