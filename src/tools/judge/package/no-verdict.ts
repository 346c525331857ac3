/** Why one submission cannot be judged: its program cannot be started, or a validator gives no verdict. */
import { BoardmillError } from '../../../core/errors.js';

export class NoVerdictError extends BoardmillError {
  constructor(message: string) {
    super('worker', message);
  }
}
