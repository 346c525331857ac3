/** Makes devices of the machine read-only for sandboxes that the user root starts. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The devices of the machine that bubblewrap shows in a sandbox. */
const DEVICES = ['null', 'zero', 'full', 'random', 'urandom', 'tty'].map((name) => join('/dev', name));

/**
 * Returns the beginning of a command that starts a sandbox for the user root, who could change the modes and times of these
 * devices: in a namespace of mounts in which they are read-only. Devices can still be written. bubblewrap itself can make only
 * files and folders read-only.
 */
export function prefixForReadOnlyDevices(): string[] {
  // Making /dev read-only does not change devices that are mounted one by one, as in some containers.
  const mounts = readFileSync('/proc/self/mountinfo', 'utf8');
  const paths = ['/dev', ...DEVICES.filter((path) => mounts.includes(` ${path} `))].join(' ');
  const script = `for path in ${paths}; do ${pathOfTool('mount')} --rbind -o ro $path $path || exit; done; exec "$@"`;
  return [pathOfTool('unshare'), '--mount', 'sh', '-c', script, 'sh'];
}

/** Returns the path of a tool of the system, also if the folder is missing in PATH. */
function pathOfTool(name: string): string {
  return ['/usr/bin', '/bin'].map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? name;
}
