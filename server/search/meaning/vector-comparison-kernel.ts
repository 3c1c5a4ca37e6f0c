/** Compares one vector with many, by SIMD in WebAssembly. The loops are unrolled for the number of dimensions. */
import {
  assembleWasmFunctions,
  type Code,
  countedLoop,
  loadVector,
  localGet,
  localSet,
  rotateLanes,
  simd,
  type WasmFunction,
  zeroVector,
} from './assemble-wasm-functions.ts'

/** Reads and writes the memory it was made for. All arguments but `count` are addresses. */
export type VectorKernel = {
  /** Writes the Hamming distances of `count` bit vectors to a query, as 16-bit numbers. */
  hamming(count: number, vectors: number, query: number, out: number): void
  /** Writes the inner products of `count` vectors of signed bytes with a query, as 32-bit integers. */
  products(count: number, vectors: number, query: number, out: number): void
}

/** `dimensions`: a multiple of 128, so that bits and bytes fill whole SIMD words. */
export function createVectorComparisonKernel(memory: WebAssembly.Memory, dimensions: number): VectorKernel {
  return assembleWasmFunctions(memory, [hammingFunction(dimensions), productsFunction(dimensions)]) as unknown as VectorKernel
}

/** The locals of both functions: four parameters, and the sums so far. */
const [count, vectors, query, out, total] = [0, 1, 2, 3, 4]
const [xor, countBits, addBytes] = [simd(0x51), simd(0x62), simd(0x6e)]
/** Sums of neighbours: bytes to 16 bits, then to 32 bits. */
const sumPairs = [...simd(0x7d), ...simd(0x7f)]
const [addIntegers, multiplyPairs] = [simd(0xae), simd(0xba)]
/** Half of a vector of signed bytes as 16-bit integers. */
const halves = [simd(0x87), simd(0x88)]
/** The sum of the four integers of `total`, on the stack. */
const sumOfLanes = [
  ...[8, 4].flatMap((bytes) => [...localGet(total), ...rotateLanes(total, bytes), ...addIntegers, ...localSet(total)]),
  ...[...localGet(total), ...simd(0x1b, 0)],
]

function hammingFunction(dimensions: number): WasmFunction {
  const bits = Array.from({ length: dimensions / 128 }, (_, at) => [
    ...[...loadVector(vectors, 16 * at), ...loadVector(query, 16 * at), ...xor, ...countBits],
    ...(at === 0 ? [] : addBytes),
  ])
  const body = [...bits.flat(), ...sumPairs, ...localSet(total), ...localGet(out), ...sumOfLanes, ...[0x3b, 0, 0]]
  return comparison('hamming', body, dimensions / 8, 2)
}

function productsFunction(dimensions: number): WasmFunction {
  const parts = Array.from({ length: dimensions / 16 }, (_, at) =>
    halves.flatMap((half) => [
      ...[...localGet(total), ...loadVector(vectors, 16 * at), ...half, ...loadVector(query, 16 * at), ...half],
      ...[...multiplyPairs, ...addIntegers, ...localSet(total)],
    ]),
  )
  const body = [...zeroVector, ...localSet(total), ...parts.flat(), ...localGet(out), ...sumOfLanes, ...[0x36, 0, 0]]
  return comparison('products', body, dimensions, 4)
}

function comparison(name: string, body: Code, vectorBytes: number, outBytes: number): WasmFunction {
  return {
    ...{ name, parameters: ['i32', 'i32', 'i32', 'i32'], locals: ['v128'] },
    body: countedLoop(count, body, [
      [vectors, vectorBytes],
      [out, outBytes],
    ]),
  }
}
