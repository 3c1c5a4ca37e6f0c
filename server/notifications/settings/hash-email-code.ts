import { createHash } from 'node:crypto'

/** The stored form of a code. It is short: its expiry and the limit of failures protect it, not the hash. */
export function hashEmailCode(personId: string, code: string): string {
  return createHash('sha256').update(`${personId}\n${code}`).digest('hex')
}
