/** Why a submission cannot be judged, although others may be: its program cannot be started, or a validator gives no verdict. */
import { BoardmillError } from '../../../core/errors.js';

export class NoVerdict extends BoardmillError {
  constructor(message: string) {
    super('worker', message);
  }
}
