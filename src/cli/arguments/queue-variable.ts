/**
 * The environment variable for the URL of a queue. With it, a password need not be among the arguments of a process. boardmill
 * first removes the URL from the environment, so that no thread and no program that boardmill starts, by whatever library, gets
 * the password.
 */
export const QUEUE_VARIABLE = 'BOARDMILL_QUEUE';

let url: string | undefined;

/** Removes the URL of the queue from the environment of this process. Called before the first thread or program starts. */
export function hideQueueVariable(): void {
  url = process.env[QUEUE_VARIABLE] ?? url;
  delete process.env[QUEUE_VARIABLE];
}

/** Returns the URL that the environment had when boardmill started; undefined if it had none. */
export function hiddenQueueUrl(): string | undefined {
  return url;
}
