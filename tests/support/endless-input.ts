/** An endless input of darkraft, which counts how many pieces were read and whether it was closed. */
export function endlessInput() {
  const state = { pieces: 0, isClosed: false };
  async function* read() {
    try {
      for (;;) {
        state.pieces++;
        yield '1 1\nL\n'.repeat(1000);
      }
    } finally {
      state.isClosed = true;
    }
  }
  return { state, input: read() };
}
