/** Keccak-256 as Ethereum has it: the padding is that of before SHA-3. Small rather than quick; a charter is a few kilobytes. */
const rate = 136
const lane = 0xffff_ffff_ffff_ffffn

/** The rounds' constants, by the linear feedback shift register that defines them. */
const constants = (() => {
  let state = 1
  return Array.from({ length: 24 }, () => {
    let constant = 0n
    for (let bit = 0; bit < 7; bit++) {
      if (state & 1) constant |= 1n << BigInt(2 ** bit - 1)
      state = (state << 1) ^ (state & 0x80 ? 0x171 : 0)
    }
    return constant
  })
})()

const rotated = (word: bigint, by: number): bigint => ((word << BigInt(by)) | (word >> BigInt(64 - by))) & lane

/** 25 lanes, x + 5y. */
function permute(a: bigint[]): void {
  const at = (index: number): bigint => a[index] ?? 0n
  for (const constant of constants) {
    const columns = [0, 1, 2, 3, 4].map((x) => at(x) ^ at(x + 5) ^ at(x + 10) ^ at(x + 15) ^ at(x + 20))
    const column = (x: number): bigint => columns[x % 5] ?? 0n
    for (let index = 0; index < 25; index++) a[index] = at(index) ^ column((index % 5) + 4) ^ rotated(column((index % 5) + 1), 1)
    // Each lane turns and moves to the next place of one long cycle.
    let [x, y, carried] = [1, 0, at(1)]
    for (let turn = 0; turn < 24; turn++) {
      ;[x, y] = [y, (2 * x + 3 * y) % 5]
      const place = x + 5 * y
      const next = at(place)
      a[place] = rotated(carried, (((turn + 1) * (turn + 2)) / 2) % 64)
      carried = next
    }
    for (let row = 0; row < 25; row += 5) {
      const lanes = a.slice(row, row + 5)
      const of = (index: number): bigint => lanes[index % 5] ?? 0n
      for (let index = 0; index < 5; index++) a[row + index] = of(index) ^ (~of(index + 1) & lane & of(index + 2))
    }
    a[0] = at(0) ^ constant
  }
}

/** 0x and 64 hex digits. */
export function keccak256(bytes: Uint8Array): `0x${string}` {
  const padded = new Uint8Array((Math.floor(bytes.length / rate) + 1) * rate)
  padded.set(bytes)
  padded[bytes.length] = 0x01
  padded[padded.length - 1] = (padded.at(-1) ?? 0) | 0x80
  const words = new DataView(padded.buffer)
  const state: bigint[] = Array.from({ length: 25 }, () => 0n)
  for (let block = 0; block < padded.length; block += rate) {
    for (let word = 0; word < rate / 8; word++) state[word] = (state[word] ?? 0n) ^ words.getBigUint64(block + word * 8, true)
    permute(state)
  }
  const digest = new DataView(new ArrayBuffer(32))
  for (let word = 0; word < 4; word++) digest.setBigUint64(word * 8, state[word] ?? 0n, true)
  return `0x${Array.from(new Uint8Array(digest.buffer), (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
