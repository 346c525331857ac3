/** The script of the shell that starts an external program, and what the shell reports. */
import { existsSync } from 'node:fs';
import { FOLDERS_EMPTIED_BETWEEN_RUNS, MAX_SANDBOX_FOLDER_BYTES } from './sandbox-command.js';

/** The unit of `ulimit -f`. */
const ULIMIT_BLOCK_BYTES = 512;

/** If a signal has killed a program, the shell reports the exit status KILLED_STATUS plus the number of the signal. */
export const KILLED_STATUS = 128;

/**
 * Matches what a shell adds to the standard error of a command in the foreground that a signal has killed: the name of the
 * signal, as the C library has it.
 */
export const SIGNAL_MESSAGE =
  /(Hangup|Quit|Illegal instruction|Trace\/breakpoint trap|Aborted|Bus error|(Floating point|Arithmetic) exception|Killed|Segmentation fault|User defined signal [12]|Alarm clock|Terminated|(CPU time|File size) limit exceeded|Bad system call)( \(core dumped\))?\n$/;

/**
 * The arguments with which `find` removes what is in the folders of a sandbox, and prints a folder whose own mode has been
 * changed.
 */
const EMPTY_FOLDERS = [
  ...FOLDERS_EMPTIED_BETWEEN_RUNS.map(({ path }) => path),
  '-depth',
  ...FOLDERS_EMPTIED_BETWEEN_RUNS.flatMap(({ path, mode }) => ['-path', path, '-perm', mode, '-o']),
  ...FOLDERS_EMPTIED_BETWEEN_RUNS.flatMap(({ path }) => ['-path', path, '-print', '-o']),
  '-delete',
].join(' ');

/** How the shell runs the program. */
interface RunCommands {
  /** Wait until boardmill closes the output pipe, or dies, and then kill all processes and remove the folder. */
  readonly guard: string;
  /** Run the program once, and set `boardmill_status` to its exit status. */
  readonly run: string;
}

const PROGRAM_FILES = '<"$boardmill_folder/in" >"$boardmill_folder/out" 2>"$boardmill_folder/err" 3<&-';

/**
 * The shell starts `program` in a process of its own and waits for it, so it knows the number of the process, and a signal can
 * interrupt it. After a status that may be a signal's, it lists its jobs, which tells how the program has ended.
 */
const runInBackground = (program: string): RunCommands => ({
  guard: `
trap '[ -z "$boardmill_run" ] || kill -9 "-$boardmill_run"; rm -rf "$boardmill_folder"; kill -9 0' TERM
{ read -r boardmill_end <&1; kill $$ || kill -9 0; } &`,
  run: `
  ${program} ${PROGRAM_FILES} &
  boardmill_run=$!
  [ -z "$boardmill_measure" ] || echo "process $boardmill_run"
  wait $boardmill_run
  boardmill_status=$?
  [ $boardmill_status -le ${KILLED_STATUS} ] || jobs
  boardmill_run=`,
});

/**
 * The shell runs the program as its own command. Some shells, such as dash, then start it without a copy of their memory
 * (vfork), which saves more than 0.1 ms. But while the program runs, the shell does nothing else, so the process that waits for
 * the end of boardmill kills all others: it stops the shell, and Linux lists the shell's children. Whether a status is that of
 * a signal, nobody knows, and the shell may print a line about it into the pipe of the program's standard error. As in the
 * background, the program does not get the signals of a terminal.
 */
const RUN_IN_FOREGROUND: RunCommands = {
  guard: `
trap '' INT QUIT
{
  read -r boardmill_end <&1
  kill -STOP $$
  read -r boardmill_children </proc/$$/task/$$/children
  for boardmill_run in $boardmill_children; do kill -9 "-$boardmill_run"; done
  rm -rf "$boardmill_folder"
  kill -9 0
} &`,
  run: `
  "$@" ${PROGRAM_FILES}
  boardmill_status=$?`,
};

const RUN_COMMANDS = {
  foreground: RUN_IN_FOREGROUND,
  background: runInBackground('exec "$@"'),
  'background, with limits': runInBackground(`{
    [ -z "$boardmill_sandbox" ] || ulimit -f ${MAX_SANDBOX_FOLDER_BYTES / ULIMIT_BLOCK_BYTES} 2>/dev/null || :
    [ -z "$boardmill_memory" ] || ulimit -v "$boardmill_memory" || exit
    exec "$@"
  }`),
};

export type RunMode = keyof typeof RUN_COMMANDS;

/**
 * Whether a shell on this system can run a program in the foreground. A name without a slash may be that of a command of the
 * shell.
 */
export function canRunInForeground([program]: readonly string[]): boolean {
  return program.includes('/') && existsSync('/proc/thread-self/children');
}

/**
 * Returns the script that the shell runs. The arguments of the script are a folder, a limit of memory in KiB, whether to
 * measure, in a sandbox whether it serves one run or several (`once`, `again`), the program and the program's arguments; what
 * is not wanted is empty. For each line on its standard input, the shell runs the program on the files in the folder, and
 * prints the program's exit status. Before it, a shell that measures prints the number of the process, and the processor times
 * of all runs so far. It can measure, limit and serve a sandbox only in the background.
 *
 * The first line on standard input says that the folder is there. Outside a sandbox, boardmill makes the folder when there is a
 * shell that will remove it, even if boardmill is killed.
 *
 * When boardmill closes its end of the output pipe, or dies, the `read` command in the background ends, and the shell kills all
 * processes: first the process group of the program, if the program has made one (as `timeout` does), then the shell's own
 * process group. Until then it must not die because it prints to nobody (SIGPIPE). The program's standard error is a named
 * pipe, which the shell makes and holds open. The line "ready" tells boardmill that the pipe is there. The names of the
 * script's variables begin with `boardmill_`, so that they do not occur in the environment.
 *
 * In a sandbox, the shell dies with bubblewrap, which dies with boardmill. There it is the first process, which gets only the
 * signals that it handles: without the trap, that is SIGINT, with `sh -c`. And `kill -9 -1` kills all others, and it gets their
 * children; to wait for a subshell of its own takes these off the list of processes, too. `kill` fails when there are no others
 * left. Then the shell removes what the run has left in memory: files and message queues. If it cannot, or if something of
 * System V is left (a file in /proc/sysvipc has a line after its head), or if the run has changed the mode of such a folder,
 * the shell prints `last` in place of `status`. It ends when boardmill closes it, because what the program has printed on
 * standard error is lost if nobody holds the pipe open before boardmill reads it.
 */
export const shellScript = (mode: RunMode) => `
boardmill_folder=$1
boardmill_memory=$2
boardmill_measure=$3
boardmill_sandbox=$4
boardmill_run=
shift 4
boardmill_is_new() {
  [ "$boardmill_sandbox" = again ] || return
  for boardmill_file in /proc/sysvipc/*; do
    { read -r boardmill_line && ! read -r boardmill_line; } <"$boardmill_file" || return
  done
  boardmill_line=$(PATH="/usr/bin:/bin:$PATH" find ${EMPTY_FOLDERS}) && [ -z "$boardmill_line" ]
} 2>/dev/null
if [ -z "$boardmill_sandbox" ]; then
trap : PIPE${RUN_COMMANDS[mode].guard}
else trap '' INT
fi
read -r boardmill_next || { [ -n "$boardmill_sandbox" ] || rm -rf "$boardmill_folder"; exit; }
[ -n "$boardmill_sandbox" ] || PATH="$PATH:/usr/bin:/bin" mkfifo -m 600 "$boardmill_folder/err" || exit
exec 4<>"$boardmill_folder/err" 3<"$boardmill_folder/err" 4<&- || exit
echo ready
while read -r boardmill_next; do${RUN_COMMANDS[mode].run}
  if [ -n "$boardmill_sandbox" ]; then while kill -9 -1 2>/dev/null; do (:); done; fi
  [ -z "$boardmill_measure" ] || times
  if [ -z "$boardmill_sandbox" ] || boardmill_is_new; then echo "status $boardmill_status"; else
    echo "last $boardmill_status"
    read -r boardmill_next
    exit
  fi
done
wait`;
