/**
 * Looks up sixteen bytes at once in a table of sixteen bytes: lane i of the result is `table[indices[i]]`.
 *
 * The lookup is one machine instruction with relaxed SIMD, and three instructions with plain SIMD. The build compiles
 * every kernel that imports this file twice: once with relaxed SIMD and once with plain SIMD.
 *
 * For an index of 128 or more, both builds return 0. For an index from 16 to 127, the plain build returns 0, but the
 * relaxed build returns 0 or some entry of the table, depending on the machine. So a kernel must not depend on the
 * result for an index from 16 to 127.
 */
// @ts-ignore: decorator
@inline
export function lookUpBytes(table: v128, indices: v128): v128 {
  return ASC_FEATURE_RELAXED_SIMD ? i8x16.relaxed_swizzle(table, indices) : i8x16.swizzle(table, indices);
}
