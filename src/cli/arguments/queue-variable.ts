/**
 * The environment variable that may hold the URL of a queue, so that a password is not among the arguments of a process. The
 * URL is taken out of the environment before anything else happens, so no thread and no program that boardmill starts, by
 * whatever library, gets the password.
 */
export const QUEUE_VARIABLE = 'BOARDMILL_QUEUE';

let url: string | undefined;

/** Takes the URL out of the environment of this process. Called before the first thread or program is started. */
export function hideQueueVariable(): void {
  url = process.env[QUEUE_VARIABLE] ?? url;
  delete process.env[QUEUE_VARIABLE];
}

/** The URL that the variable held when boardmill was started; undefined if it was not set. */
export function hiddenQueueUrl(): string | undefined {
  return url;
}
