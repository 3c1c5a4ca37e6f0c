import { createHash } from 'node:crypto'

/** The stored form of a secret. Secrets have 256 random bits, so a plain hash is enough. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}
