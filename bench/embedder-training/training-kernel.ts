/** The inner loops of training, by SIMD in WebAssembly, on vectors of 32-bit floats. */
import {
  assembleWasmFunctions,
  countedLoop,
  loadVector,
  localGet,
  localSet,
  rotateLanes,
  simd,
  storeVector,
  type WasmFunction,
  zeroVector,
} from '../../server/search/meaning/assemble-wasm-functions.ts'

/** Arguments are addresses, but `count`, `scale`, `weight` and `rate`. */
export type TrainingKernel = {
  /** Writes the inner products of `count` vectors with a query. */
  products(count: number, vectors: number, query: number, out: number): void
  /** Adds `scale` times a vector to another. */
  addScaled(to: number, from: number, scale: number): void
  /** One step of Adagrad: the slope of a row is `weight` times `slope`. */
  adagrad(row: number, squares: number, slope: number, weight: number, rate: number): void
}

export function createTrainingKernel(memory: WebAssembly.Memory, dimensions: number): TrainingKernel {
  const parts = Array.from({ length: dimensions / 4 }, (_, at) => 16 * at)
  return assembleWasmFunctions(memory, [
    productsFunction(parts),
    addScaledFunction(parts),
    adagradFunction(parts),
  ]) as unknown as TrainingKernel
}

const [splat, squareRoot, add, subtract, multiply, divide] = [0x13, 0xe3, 0xe4, 0xe5, 0xe6, 0xe7].map((opcode) => simd(opcode)) as [
  ...Code6,
]
type Code6 = [readonly number[], readonly number[], readonly number[], readonly number[], readonly number[], readonly number[]]

/** Four sums, so that additions need not wait for each other. */
const sums = [4, 5, 6, 7]

function productsFunction(parts: readonly number[]): WasmFunction {
  const [count, vectors, query, out, total] = [0, 1, 2, 3, 4]
  const body = [
    ...sums.flatMap((sum) => [...zeroVector, ...localSet(sum)]),
    ...parts.flatMap((offset, at) => {
      const sum = sums[at % sums.length] as number
      return [...localGet(sum), ...loadVector(vectors, offset), ...loadVector(query, offset), ...multiply, ...add, ...localSet(sum)]
    }),
    ...[...localGet(4), ...localGet(5), ...add, ...localGet(6), ...add, ...localGet(7), ...add, ...localSet(total)],
    ...[8, 4].flatMap((bytes) => [...localGet(total), ...rotateLanes(total, bytes), ...add, ...localSet(total)]),
    ...[...localGet(out), ...localGet(total), ...simd(0x1f, 0), ...[0x38, 0, 0]],
  ]
  const advances = [
    [vectors, 4 * 4 * parts.length],
    [out, 4],
  ] as const
  return {
    ...{ name: 'products', parameters: ['i32', 'i32', 'i32', 'i32'], locals: ['v128', 'v128', 'v128', 'v128'] },
    body: countedLoop(count, body, advances),
  }
}

function addScaledFunction(parts: readonly number[]): WasmFunction {
  const [to, from, scale, scales] = [0, 1, 2, 3]
  return {
    ...{ name: 'addScaled', parameters: ['i32', 'i32', 'f32'], locals: ['v128'] },
    body: [
      ...[...localGet(scale), ...splat, ...localSet(scales)],
      ...parts.flatMap((offset) =>
        storeVector(to, offset, [...loadVector(to, offset), ...loadVector(from, offset), ...localGet(scales), ...multiply, ...add]),
      ),
    ],
  }
}

function adagradFunction(parts: readonly number[]): WasmFunction {
  const [row, squares, slope, weight, rate, weights, rates, own, sum] = [0, 1, 2, 3, 4, 5, 6, 7, 8]
  return {
    ...{ name: 'adagrad', parameters: ['i32', 'i32', 'i32', 'f32', 'f32'], locals: ['v128', 'v128', 'v128', 'v128'] },
    body: [
      ...[...localGet(weight), ...splat, ...localSet(weights), ...localGet(rate), ...splat, ...localSet(rates)],
      ...parts.flatMap((offset) => [
        ...[...loadVector(slope, offset), ...localGet(weights), ...multiply, ...localSet(own)],
        ...[...loadVector(squares, offset), ...localGet(own), ...localGet(own), ...multiply, ...add, ...localSet(sum)],
        ...storeVector(squares, offset, localGet(sum)),
        ...storeVector(row, offset, [
          ...[...loadVector(row, offset), ...localGet(rates), ...localGet(own), ...multiply],
          ...[...localGet(sum), ...squareRoot, ...divide, ...subtract],
        ]),
      ]),
    ],
  }
}
