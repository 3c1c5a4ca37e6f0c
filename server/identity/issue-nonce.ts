import type { Context } from '../context.ts'

/** How long a nonce is valid. */
export const nonceLifetimeMs = 300_000

/** A nonce for one sign-in, against replay. Also deletes expired nonces. */
export async function issueNonce(ctx: Context): Promise<{ nonce: string; expires_at: string }> {
  const now = ctx.clock.now()
  await ctx.db.loginNonce.deleteMany({ where: { expiresAt: { lt: now } } })
  // EIP-4361 allows only letters and digits.
  const nonce = Buffer.from(ctx.ids.secret(), 'base64url').toString('hex').slice(0, 32)
  const expiresAt = new Date(now.getTime() + nonceLifetimeMs)
  await ctx.db.loginNonce.create({ data: { nonce, issuedAt: now, expiresAt } })
  return { nonce, expires_at: expiresAt.toISOString() }
}
