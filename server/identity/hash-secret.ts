import { createHash } from 'node:crypto'

/** What is kept of a secret. Secrets here are 256 random bits, so that a plain hash can't be searched. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}
