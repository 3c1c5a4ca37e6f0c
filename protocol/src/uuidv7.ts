import { bytesToHex } from '@noble/hashes/utils.js'

/** RFC 9562 UUIDv7. `nowMs`: Unix time in milliseconds; `random`: at least 10 random bytes. */
export function uuidv7(nowMs: number, random: Uint8Array): string {
  const bytes = new Uint8Array(16)
  for (let i = 5, rest = nowMs; i >= 0; i--, rest = Math.floor(rest / 256)) bytes[i] = rest % 256
  bytes.set(random.subarray(0, 10), 6)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x70
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = bytesToHex(bytes)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
