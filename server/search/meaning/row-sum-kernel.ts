/** Adds weighted rows of signed bytes, by SIMD in WebAssembly. The loop is unrolled for the number of dimensions. */
import {
  assembleWasmFunctions,
  countedLoop,
  loadEightBytes,
  loadVector,
  localGet,
  localSet,
  simd,
  storeVector,
} from './assemble-wasm-functions.ts'

/** Reads and writes the memory it was made for. */
export type RowKernel = {
  /** Adds `count` rows to the 32-bit floats at `sum`. `rows`: a list of 32-bit addresses; `weights`: a list of 32-bit floats. */
  addRows(count: number, rows: number, weights: number, sum: number): void
}

const [count, rows, weights, sum, row, weight, eight] = [0, 1, 2, 3, 4, 5, 6]
/** Half of a vector of 16-bit integers as 32-bit floats. */
const floatHalves = [0xa7, 0xa8].map((half) => [...simd(half), ...simd(0xfa)])
const [addFloats, multiplyFloats, repeatFloat] = [simd(0xe4), simd(0xe6), simd(0x13)]

/** `dimensions`: a multiple of 8. */
export function createRowSumKernel(memory: WebAssembly.Memory, dimensions: number): RowKernel {
  const additions = Array.from({ length: dimensions / 8 }, (_, at) => [
    ...[...loadEightBytes(row, 8 * at), ...localSet(eight)],
    ...floatHalves.flatMap((half, side) => {
      const offset = 4 * (8 * at + 4 * side)
      const product = [...localGet(eight), ...half, ...localGet(weight), ...multiplyFloats]
      return storeVector(sum, offset, [...loadVector(sum, offset), ...product, ...addFloats])
    }),
  ])
  const next = [
    ...localGet(rows),
    ...[0x28, 2, 0],
    ...localSet(row),
    ...localGet(weights),
    ...[0x2a, 2, 0],
    ...repeatFloat,
    ...localSet(weight),
  ]
  const body = countedLoop(
    count,
    [...next, ...additions.flat()],
    [
      [rows, 4],
      [weights, 4],
    ],
  )
  const parameters = ['i32', 'i32', 'i32', 'i32'] as const
  return assembleWasmFunctions(memory, [{ name: 'addRows', parameters, locals: ['i32', 'v128', 'v128'], body }]) as unknown as RowKernel
}
