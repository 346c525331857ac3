/**
 * An endless input of darkraft, which counts how many pieces were read and whether it was closed. A case has six bytes.
 */
export function endlessInput(casesPerPiece = 1000) {
  const state = { pieces: 0, isClosed: false };
  async function* read() {
    try {
      for (;;) {
        state.pieces++;
        yield '1 1\nL\n'.repeat(casesPerPiece);
      }
    } finally {
      state.isClosed = true;
    }
  }
  return { state, input: read() };
}
