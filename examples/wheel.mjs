// A kernel in WebAssembly: 64-bit integers that JavaScript's numbers do not have.
//
// A wheel has m positions, 0 to m - 1. It stands at x. Each push turns it from x to (x * x + c) mod m.
// Print where it stands after k pushes.
import { defineProblem, formats } from 'boardmill';

const { counted, int } = formats;

// The code of (func (export "f") (param $x i64) (param $c i64) (param $m i64) (param $k i32) (result i64)).
// If the bytes were in a file of their own, the problem would need a `version`.
const [I32, I64] = [0x7f, 0x7e];
const code = [
  ...[0x02, 0x40, 0x03, 0x40], // block $done, loop $again
  ...[0x20, 3, 0x45, 0x0d, 1], // if k is 0, go to the end of $done
  ...[0x20, 3, 0x41, 1, 0x6b, 0x21, 3], // k = k - 1
  ...[0x20, 0, 0x20, 0, 0x7e, 0x20, 1, 0x7c, 0x20, 2, 0x82, 0x21, 0], // x = (x * x + c) mod m, without signs
  ...[0x0c, 0, 0x0b, 0x0b, 0x20, 0, 0x0b], // go to $again; end, end; return x; end
];
const section = (id, ...bytes) => [id, bytes.length, ...bytes];
const binary = Uint8Array.of(
  ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0], // "\0asm", version 1
  ...section(1, 1, 0x60, 4, I64, I64, I64, I32, 1, I64), // types: the one function's
  ...section(3, 1, 0), // functions: one, of type 0
  ...section(7, 1, 1, 'f'.charCodeAt(0), 0, 0), // exports: function 0 as "f"
  ...section(10, 1, code.length + 1, 0, ...code), // code: one body without locals
);
const { f } = new WebAssembly.Instance(new WebAssembly.Module(binary)).exports;

export default defineProblem({
  name: 'wheel',
  input: counted({ m: int(1, 2 ** 31 - 1), x: int(0, 'm-1'), c: int(0, 'm-1'), k: int(0, 1e7) }),
  answer: int(0),
  solve: ({ m, x, c, k }) => f(BigInt(x), BigInt(c), BigInt(m), k),
});
