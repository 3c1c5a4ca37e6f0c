import type { IssuedApiToken, RequestApiToken } from '@parley/protocol'
import type { Context } from '../context.ts'
import { openSession } from './open-session.ts'

/**
 * Opens a session for a program. Its token may do what the scopes in the signed message allow, and read. The account page of the wallet
 * lists it and can end it. An operator's token has no operator's rights, and needs the wallet's key all the same.
 */
export async function issueApiToken(ctx: Context, { message, signature, expires_in, name }: RequestApiToken): Promise<IssuedApiToken> {
  const { token, session, person } = await openSession(
    ctx,
    { message, signature, userAgent: name },
    { operators: ctx.market.operators, lifetimeMs: expires_in * 1_000, isApiToken: true, requireLogin: () => undefined },
  )
  return { token, did: person.did, scopes: [...(person.scopes ?? [])], expires_at: session.expiresAt }
}
