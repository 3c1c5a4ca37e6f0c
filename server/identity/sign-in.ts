import { isHex, recoverMessageAddress, size } from 'viem'
import { appendAudit } from '../audit/index.ts'
import { type Actor, actingAs, type Context } from '../context.ts'
import { inTransaction } from '../db.ts'
import { nonceInvalid, signatureInvalid } from './errors.ts'
import { hashSecret } from './hash-secret.ts'
import { parseSiweMessage } from './siwe-message.ts'

/** A session ends after this time, used or not. */
export const sessionLifetimeMs = 12 * 3_600_000

export type SignIn = { readonly message: string; readonly signature: string; readonly userAgent: string }
export type SignedIn = {
  /** For the cookie; the server stores only its hash. */
  readonly token: string
  readonly session: { readonly id: string; readonly expiresAt: string }
  readonly person: Extract<Actor, { kind: 'person' }>
}

/** Opens a session for the wallet that signed the message. Each nonce opens one session. */
export async function signIn(ctx: Context, input: SignIn, operators: readonly string[] = []): Promise<SignedIn> {
  const now = ctx.clock.now()
  const login = parseSiweMessage(input.message, ctx.market, now)
  // Check the nonce first, because the signature of a contract wallet needs a network request.
  const known = await ctx.db.loginNonce.findUnique({ where: { nonce: login.nonce } })
  if (!known || known.usedAt !== null || known.expiresAt <= now) throw unusableNonce()
  const isOperator = operators.includes(login.address)
  if (!(await isSigned(ctx, { ...input, address: login.address, isOperator })))
    throw signatureInvalid(login.address, `Sign the message with the ${isOperator ? 'key of the wallet' : 'wallet'} that it names.`)
  return inTransaction(ctx, async (outer) => {
    const person = personOf(login.did, login.address, operators)
    const tx = actingAs(outer, person)
    const used = await tx.db.loginNonce.updateMany({
      where: { nonce: login.nonce, usedAt: null, expiresAt: { gt: now } },
      data: { usedAt: now },
    })
    if (used.count !== 1) throw unusableNonce()
    await tx.db.$executeRaw`
      insert into "person" ("id", "address", "chainId", "createdAt") values (${login.did}, ${login.address}, ${tx.market.chainId}, ${now})
      on conflict do nothing`
    const token = tx.ids.secret()
    const id = tx.ids.next('ses')
    const expiresAt = new Date(now.getTime() + sessionLifetimeMs)
    const userAgent = input.userAgent.replace(/[^\P{C}]/gu, '').slice(0, 200)
    await tx.db.session.create({
      data: { id, tokenHash: hashSecret(token), personId: login.did, userAgent, createdAt: now, seenAt: now, expiresAt },
    })
    await appendAudit(tx, { chain: login.did, action: 'session.open', after: { session: id, expires_at: expiresAt } })
    return { token, session: { id, expiresAt: expiresAt.toISOString() }, person }
  })
}

type SignedMessage = { readonly address: `0x${string}`; readonly message: string; readonly signature: string; readonly isOperator: boolean }

/** Operators must sign with the wallet's key, so that no node decides who sees the operator pages. */
async function isSigned(ctx: Context, { address, message, signature, isOperator }: SignedMessage): Promise<boolean> {
  if (!isSignatureLike(signature)) return false
  if (!isOperator) return ctx.ports.verifyWallet.message({ address, message, signature })
  const recovered = await recoverMessageAddress({ message, signature }).catch(() => null)
  return recovered?.toLowerCase() === address
}

/** Bytes of the longest signature that a contract wallet may need. */
const maxSignatureBytes = 8192

function isSignatureLike(signature: string): signature is `0x${string}` {
  return isHex(signature) && signature.length % 2 === 0 && size(signature) >= 1 && size(signature) <= maxSignatureBytes
}

const unusableNonce = () => nonceInvalid('This sign-in message was already used, or it has expired.')

/** The actor of a wallet. `operators`: wallets that see the operator pages. */
export function personOf(
  did: Extract<Actor, { kind: 'person' }>['did'],
  address: `0x${string}`,
  operators: readonly string[],
): Extract<Actor, { kind: 'person' }> {
  return { kind: 'person', did, address, isOperator: operators.includes(address) }
}

/** Parses the comma-separated setting of operators' wallets. */
export function readOperators(setting: string): readonly string[] {
  return setting
    .split(',')
    .map((address) => address.trim().toLowerCase())
    .filter((address) => /^0x[0-9a-f]{40}$/.test(address))
}
