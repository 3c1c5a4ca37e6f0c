import { randomBytes } from 'node:crypto'
import { type IdPrefix, prefixedId } from '@parley/protocol'
import type { Clock } from './clock.ts'

/** Creates identifiers and secrets. */
export type Ids = {
  uuid(): string
  next<P extends IdPrefix>(prefix: P): `${P}_${string}`
  /** 32 random bytes, base64url. */
  secret(): string
}

/** Random hex digits per id: 3, 1 of which two bits are used, 3 and 12. */
const digitsEach = 19
const drawnBytes = digitsEach * 128
const variants = ['8', '9', 'a', 'b'] as const

export function createIds(clock: Clock): Ids {
  let [at, time] = [-1, '']
  let [digits, drawn] = ['', 0]
  // A UUIDv7: the time and 74 random bits. Random bytes are drawn for many ids at once.
  const uuid = () => {
    const now = clock.now().getTime()
    if (now !== at) {
      const clock = now.toString(16).padStart(12, '0')
      time = `${clock.slice(0, 8)}-${clock.slice(8)}-7`
      at = now
    }
    if (drawn === digits.length) [digits, drawn] = [randomBytes(drawnBytes).toString('hex'), 0]
    const from = drawn
    drawn += digitsEach
    const variant = variants[Number.parseInt(digits.charAt(from), 16) & 3]
    return `${time}${digits.slice(from + 1, from + 4)}-${variant}${digits.slice(from + 4, from + 7)}-${digits.slice(from + 7, from + digitsEach)}`
  }
  return { uuid, next: (prefix) => prefixedId(prefix, uuid()), secret: () => randomBytes(32).toString('base64url') }
}
