import { randomBytes, randomUUID } from 'node:crypto'
import { type IdPrefix, prefixedId } from '@parley/protocol'
import type { Clock } from './clock.ts'

/** Where new identifiers and secrets come from. */
export type Ids = {
  uuid(): string
  next<P extends IdPrefix>(prefix: P): `${P}_${string}`
  /** 32 random bytes, base64url. */
  secret(): string
}

export function createIds(clock: Clock): Ids {
  // A UUIDv7: the time, and what is random in a UUIDv4, which the platform draws many at a time.
  let [at, time] = [-1, '']
  const uuid = () => {
    const now = clock.now().getTime()
    if (now !== at) {
      const digits = now.toString(16).padStart(12, '0')
      time = `${digits.slice(0, 8)}-${digits.slice(8)}-7`
      at = now
    }
    return time + randomUUID().slice(15)
  }
  return { uuid, next: (prefix) => prefixedId(prefix, uuid()), secret: () => randomBytes(32).toString('base64url') }
}
