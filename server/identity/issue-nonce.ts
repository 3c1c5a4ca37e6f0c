import type { Context } from '../context.ts'

/** How long a nonce waits for its signature. */
export const nonceLifetimeMs = 300_000

/** A nonce for one sign-in, so that a replay of its message is refused. What nobody used in time is swept out on the way. */
export async function issueNonce(ctx: Context): Promise<{ nonce: string; expires_at: string }> {
  const now = ctx.clock.now()
  await ctx.db.loginNonce.deleteMany({ where: { expiresAt: { lt: now } } })
  // EIP-4361 takes letters and digits only.
  const nonce = Buffer.from(ctx.ids.secret(), 'base64url').toString('hex').slice(0, 32)
  const expiresAt = new Date(now.getTime() + nonceLifetimeMs)
  await ctx.db.loginNonce.create({ data: { nonce, issuedAt: now, expiresAt } })
  return { nonce, expires_at: expiresAt.toISOString() }
}
