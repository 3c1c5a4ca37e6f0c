/** Writes WebAssembly modules as bytes: enough of the format for loops over vectors. Opcodes are those of the specification. */

export type Code = readonly number[]

export const valueTypes = { i32: 0x7f, i64: 0x7e, f32: 0x7d, f64: 0x7c, v128: 0x7b } as const
type ValueType = keyof typeof valueTypes
/** `locals`: besides the parameters. */
export type WasmFunction = {
  readonly name: string
  readonly parameters: readonly ValueType[]
  readonly locals: readonly ValueType[]
  readonly body: Code
}

/** Unsigned LEB128. */
function leb(value: number): number[] {
  const bytes: number[] = []
  for (let rest = value; ; rest >>>= 7) {
    if (rest < 0x80) return [...bytes, rest]
    bytes.push((rest & 0x7f) | 0x80)
  }
}

/** `i32.const`: puts an integer that is not negative on the stack: signed LEB128, in which bit 6 of the last byte is the sign. */
export function i32Const(value: number): number[] {
  const bytes = leb(value)
  const last = bytes.pop() ?? 0
  return [0x41, ...bytes, ...((last & 0x40) === 0 ? [last] : [last | 0x80, 0])]
}

/** `local.get`: puts a local on the stack. */
export const localGet = (local: number): Code => [0x20, local]
/** `local.set`: takes the value for a local from the stack. */
export const localSet = (local: number): Code => [0x21, local]
/** An instruction on 128-bit vectors. */
export const simd = (opcode: number, ...rest: Code): Code => [0xfd, ...leb(opcode), ...rest]
/** The 16 bytes at the address in a local, plus `offset`. */
export const loadVector = (address: number, offset: number): Code => [...localGet(address), ...simd(0x00, 0, ...leb(offset))]
/** Eight signed bytes there, as 16-bit integers. */
export const loadEightBytes = (address: number, offset: number): Code => [...localGet(address), ...simd(0x01, 0, ...leb(offset))]
/** Stores the vector of `value` there. */
export const storeVector = (address: number, offset: number, value: Code): Code => [
  ...localGet(address),
  ...value,
  ...simd(0x0b, 0, ...leb(offset)),
]
export const zeroVector: Code = simd(0x0c, ...Array.from({ length: 16 }, () => 0))
/** Moves the lanes of a local's vector by `bytes`, around its end. */
export const rotateLanes = (local: number, bytes: number): Code => [
  ...[...localGet(local), ...localGet(local)],
  ...simd(0x0d, ...Array.from({ length: 16 }, (_, at) => (at + bytes) % 16)),
]

/** Runs `body` `count` times, then advances each address by its bytes. `count` is a local, which ends at 0. */
export function countedLoop(count: number, body: Code, advances: readonly (readonly [local: number, bytes: number])[]): number[] {
  const advanced = advances.flatMap(([local, bytes]) => [...localGet(local), ...i32Const(bytes), 0x6a, ...localSet(local)])
  const [block, loop, end] = [[0x02, 0x40], [0x03, 0x40], 0x0b]
  const leaveAtZero = [...localGet(count), 0x45, 0x0d, 1]
  const decrement = [...localGet(count), ...i32Const(1), 0x6b, ...localSet(count)]
  return [...block, ...loop, ...leaveAtZero, ...body, ...advanced, ...decrement, ...[0x0c, 0], end, end]
}

/** Instantiates functions that work on the caller's memory. */
export function assembleWasmFunctions(memory: WebAssembly.Memory, functions: readonly WasmFunction[]): WebAssembly.Exports {
  const types = functions.map(({ parameters }) => [0x60, ...sized(parameters.map((type) => [valueTypes[type]])), 0])
  const bodies = functions.map(({ locals, body }) => {
    const code = [...sized(locals.map((type) => [1, valueTypes[type]])), ...body, 0x0b]
    return [...leb(code.length), ...code]
  })
  const bytes = Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, sized(types)),
    ...section(2, [1, ...nameOf('env'), ...nameOf('memory'), 0x02, 0x00, 1]),
    ...section(3, sized(functions.map((_, at) => [at]))),
    ...section(7, sized(functions.map(({ name }, at) => [...nameOf(name), 0, at]))),
    ...section(10, sized(bodies)),
  ])
  return new WebAssembly.Instance(new WebAssembly.Module(bytes), { env: { memory } }).exports
}

function sized(items: readonly Code[]): number[] {
  return [...leb(items.length), ...items.flat()]
}

function section(id: number, content: Code): number[] {
  return [id, ...leb(content.length), ...content]
}

function nameOf(text: string): number[] {
  return [text.length, ...Buffer.from(text)]
}
