import type { Context } from '../context.ts'
import { messageMalformed } from './errors.ts'
import { openSession, type SignedIn, type SignIn } from './open-session.ts'

/** A session ends after this time, used or not. */
export const sessionLifetimeMs = 12 * 3_600_000

/** Opens a session for the wallet that signed the message. Each nonce opens one session. */
export async function signIn(ctx: Context, input: SignIn, operators: readonly string[] = []): Promise<SignedIn> {
  return openSession(ctx, input, {
    operators,
    lifetimeMs: sessionLifetimeMs,
    isApiToken: false,
    requireLogin({ scopes }) {
      // The wallet allowed only these scopes, and a login in a browser may do everything.
      if (scopes.length > 0) throw messageMalformed('The message grants scopes. Send it to POST /v1/tokens of the hub for a token.')
    },
  })
}

/** Parses the comma-separated setting of operators' wallets. */
export function parseOperators(setting: string): readonly string[] {
  return setting
    .split(',')
    .map((address) => address.trim().toLowerCase())
    .filter((address) => /^0x[0-9a-f]{40}$/.test(address))
}
