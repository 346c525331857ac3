/** Takes the place of problems/load-kernel.ts in browsers: the kernels are in the file of the library itself. */
import bacterialTactics from '../../workers/kernels/bacterial-tactics.wasm';
import darkraft from '../../workers/kernels/darkraft.wasm';
import linkAndPop from '../../workers/kernels/link-and-pop.wasm';
import riverPawn from '../../workers/kernels/river-pawn.wasm';

/** The kernels in base64, by their names. The relaxed forms are left out: they only save time. */
const KERNELS: Readonly<Record<string, string>> = {
  'bacterial-tactics': bacterialTactics,
  darkraft,
  'link-and-pop': linkAndPop,
  'river-pawn': riverPawn,
};

/** Compiles the kernel with this name. Throws if the browser does not support WebAssembly SIMD. */
export function loadKernel(name: string): WebAssembly.Module {
  return new WebAssembly.Module(Uint8Array.from(atob(KERNELS[name]), (character) => character.charCodeAt(0)));
}
