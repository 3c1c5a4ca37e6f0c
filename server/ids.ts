import { randomBytes } from 'node:crypto'
import { type IdPrefix, prefixedId, uuidv7 } from '@parley/protocol'
import type { Clock } from './clock.ts'

/** Where new identifiers and secrets come from. */
export type Ids = {
  uuid(): string
  next<P extends IdPrefix>(prefix: P): `${P}_${string}`
  /** 32 random bytes, base64url. */
  secret(): string
}

export function createIds(clock: Clock): Ids {
  const uuid = () => uuidv7(clock.now().getTime(), randomBytes(10))
  return { uuid, next: (prefix) => prefixedId(prefix, uuid()), secret: () => randomBytes(32).toString('base64url') }
}
