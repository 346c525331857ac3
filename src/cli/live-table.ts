/** Text on a terminal that is drawn over and over in the same place. */
import { clearScreenDown, moveCursor } from 'node:readline';
import type { WriteStream } from 'node:tty';

export class LiveTable {
  readonly #stream: WriteStream;
  #lines = 0;

  constructor(stream: WriteStream) {
    this.#stream = stream;
  }

  /** Replaces what was drawn last. Lines are cut at the edge: a wrapped one could not be counted. */
  draw(text: string): void {
    const lines = text.split('\n').map((line) => line.slice(0, this.#stream.columns - 1));
    moveCursor(this.#stream, 0, -this.#lines);
    clearScreenDown(this.#stream);
    this.#stream.write(lines.join('\n'));
    this.#lines = lines.length - 1;
  }
}
