/** Writes the log of `boardmill worker` to standard error. */
import { escapeUnprintable, printJson } from '../../core/printable.js';
import type { WorkerEvent } from '../../engine/queue/worker-log.js';

/** The formats of the log: lines of text for people, or lines of JSON. Both have the time in UTC. */
export const LOG_FORMATS = ['text', 'json'] as const;
type LogFormat = (typeof LOG_FORMATS)[number];

/** Returns a function that logs events. */
export function createLog(format: LogFormat): (event: WorkerEvent) => void {
  return (event) => {
    const time = new Date().toISOString();
    const line = format === 'json' ? printJson({ time, ...event }) : formatText(time, event);
    process.stderr.write(`${line}\n`);
  };
}

function formatText(time: string, { level, message }: WorkerEvent): string {
  const shownLevel = level === 'info' ? '' : `${level}: `;
  return `${time} ${shownLevel}${escapeUnprintable(message)}`;
}
