/** The part of the WebAssembly JavaScript interface that boardmill uses. @types/node does not declare it. */
declare namespace WebAssembly {
  class Module {
    constructor(bytes: Uint8Array);
  }
  class Memory {
    constructor(descriptor: { initial: number; maximum?: number });
    readonly buffer: ArrayBuffer;
    grow(pages: number): number;
  }
  type Exports = Record<string, unknown>;
  class Instance {
    constructor(module: Module, imports?: Record<string, Record<string, unknown>>);
    readonly exports: Exports;
  }
  class Global<T = number> {
    readonly value: T;
  }
  function validate(bytes: Uint8Array): boolean;
}
