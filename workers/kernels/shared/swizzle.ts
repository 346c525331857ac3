/**
 * The lanes of `table` that `index` names: one instruction where the engine has relaxed SIMD, three otherwise. A
 * kernel that imports this is built in both forms.
 *
 * An index of 128 or more gives 0 in both; one from 16 to 127 gives 0 or anything of the table, as the machine
 * likes.
 */
// @ts-ignore: decorator
@inline
export function lookUp(table: v128, index: v128): v128 {
  return ASC_FEATURE_RELAXED_SIMD ? i8x16.relaxed_swizzle(table, index) : i8x16.swizzle(table, index);
}
