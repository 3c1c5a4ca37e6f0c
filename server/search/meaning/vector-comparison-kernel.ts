/** Compares one vector with many, by SIMD in WebAssembly. The loops are unrolled for the number of dimensions. */
import {
  assembleWasmFunctions,
  type Code,
  countedLoop,
  i32Const,
  loadVector,
  localGet,
  localSet,
  rotateLanes,
  simd,
  type WasmFunction,
  zeroVector,
} from './assemble-wasm-functions.ts'

/** Reads and writes the memory it was made for. All arguments but `count` and `share` are addresses. */
export type VectorKernel = {
  /**
   * Writes the Hamming distances of `count` bit vectors to a query, as 16-bit numbers. Each 32-bit score becomes `share` of itself and
   * the part for its distance. `parts`: 64-bit numbers for all distances, for scores of 0 and then for others.
   */
  addByDistance(count: number, vectors: number, query: number, out: number, scores: number, parts: number, share: number): void
  /** Writes the inner products of `count` vectors of signed bytes with a query, as 32-bit integers. */
  products(count: number, vectors: number, query: number, out: number): void
}

/** `dimensions`: a multiple of 128, so that bits and bytes fill whole SIMD words. */
export function createVectorComparisonKernel(memory: WebAssembly.Memory, dimensions: number): VectorKernel {
  return assembleWasmFunctions(memory, [addByDistanceFunction(dimensions), productsFunction(dimensions)]) as unknown as VectorKernel
}

/** The first locals of both functions: four parameters. `total`: the sums so far of `products`. */
const [count, vectors, query, out, total] = [0, 1, 2, 3, 4]
const [add, multiply, shiftLeft] = [[0x6a], [0x6c], [0x74]]
const [xorWords, countBits, addWords, wordToInteger] = [[0x85], [0x7b], [0x7c], [0xa7]]
const [isGreater, toDouble, toFloat, addDoubles, multiplyDoubles] = [[0x5e], [0xbb], [0xb6], [0xa0], [0xa2]]
/** A word of 64 bits at the address on the stack. */
const loadWord = (offset: number): Code => [0x29, 3, ...(offset < 128 ? [offset] : [(offset & 127) | 128, offset >> 7])]
const [addIntegers, multiplyPairs] = [simd(0xae), simd(0xba)]
/** Half of a vector of signed bytes as 16-bit integers. */
const halves = [simd(0x87), simd(0x88)]
/** The sum of the four integers of `total`, on the stack. */
const sumOfLanes = [
  ...[8, 4].flatMap((bytes) => [...localGet(total), ...rotateLanes(total, bytes), ...addIntegers, ...localSet(total)]),
  ...[...localGet(total), ...simd(0x1b, 0)],
]

/** The further locals of `addByDistance`. */
const [scores, parts, share, distance, score, queryWords] = [4, 5, 6, 7, 8, 9]

/**
 * Words of 64 bits, whose bits a processor counts in one instruction: faster than the vectors of WebAssembly, which it can only count by
 * tables. One loop does all, because the scores of many vectors do not fit into the processor's nearest cache.
 */
function addByDistanceFunction(dimensions: number): WasmFunction {
  const words = Array.from({ length: dimensions / 64 }, (_, at) => at)
  const loadQuery = words.flatMap((at) => [...localGet(query), ...loadWord(8 * at), ...localSet(queryWords + at)])
  const countDifferent = words.flatMap((at) => [
    ...[...localGet(vectors), ...loadWord(8 * at), ...localGet(queryWords + at), ...xorWords, ...countBits],
    ...(at === 0 ? [] : addWords),
  ])
  const partAddress = [
    ...[...localGet(parts), ...localGet(distance), ...localGet(score), 0x43, 0, 0, 0, 0, ...isGreater],
    ...[...i32Const(dimensions + 1), ...multiply, ...add, ...i32Const(3), ...shiftLeft, ...add],
  ]
  const body = [
    ...[...countDifferent, ...wordToInteger, ...localSet(distance)],
    ...[...localGet(out), ...localGet(distance), ...[0x3b, 1, 0]],
    ...[...localGet(scores), ...[0x2a, 2, 0], ...localSet(score)],
    ...[...localGet(scores), ...localGet(score), ...toDouble, ...localGet(share), ...multiplyDoubles],
    ...[...partAddress, ...[0x2b, 3, 0], ...addDoubles, ...toFloat, ...[0x38, 2, 0]],
  ]
  return {
    name: 'addByDistance',
    parameters: ['i32', 'i32', 'i32', 'i32', 'i32', 'i32', 'f64'],
    locals: ['i32', 'f32', ...words.map(() => 'i64' as const)],
    body: [
      ...loadQuery,
      ...countedLoop(count, body, [
        [vectors, dimensions / 8],
        [out, 2],
        [scores, 4],
      ]),
    ],
  }
}

function productsFunction(dimensions: number): WasmFunction {
  const parts = Array.from({ length: dimensions / 16 }, (_, at) =>
    halves.flatMap((half) => [
      ...[...localGet(total), ...loadVector(vectors, 16 * at), ...half, ...loadVector(query, 16 * at), ...half],
      ...[...multiplyPairs, ...addIntegers, ...localSet(total)],
    ]),
  )
  const body = [...zeroVector, ...localSet(total), ...parts.flat(), ...localGet(out), ...sumOfLanes, ...[0x36, 0, 0]]
  return {
    ...{ name: 'products', parameters: ['i32', 'i32', 'i32', 'i32'], locals: ['v128'] },
    body: countedLoop(count, body, [
      [vectors, dimensions],
      [out, 4],
    ]),
  }
}
