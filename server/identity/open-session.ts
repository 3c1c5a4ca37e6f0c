import { type ApiScope, removeInvisible } from '@parley/protocol'
import { isHex, recoverMessageAddress, size } from 'viem'
import { appendAudit } from '../audit/index.ts'
import { type Actor, actingAs, type Context } from '../context.ts'
import { inTransaction } from '../db.ts'
import { nonceInvalid, signatureInvalid } from './errors.ts'
import { hashSecret } from './hash-secret.ts'
import { parseSiweMessage, type SiweLogin } from './siwe-message.ts'

export type SignIn = { readonly message: string; readonly signature: string; readonly userAgent: string }
export type SignedIn = {
  /** For the cookie or the bearer header; the server stores only its hash. */
  readonly token: string
  readonly session: { readonly id: string; readonly expiresAt: string }
  readonly person: Extract<Actor, { kind: 'person' }>
}

/** What kind of session a message opens. `requireLogin` throws for a message that does not fit. */
export type SessionKind = {
  /** Wallets that see the operator pages. */
  readonly operators: readonly string[]
  readonly lifetimeMs: number
  /** True for a program's token, which may do only what the scopes of the message allow. */
  readonly isApiToken: boolean
  requireLogin(login: SiweLogin): void
}

/** Opens a session for the wallet that signed the message. Each nonce opens one session, so a replay attack with the message fails. */
export async function openSession(ctx: Context, input: SignIn, kind: SessionKind): Promise<SignedIn> {
  const now = ctx.clock.now()
  const login = parseSiweMessage(input.message, ctx.market, now)
  kind.requireLogin(login)
  // Check the nonce first, because the signature of a contract wallet needs a network request.
  const known = await ctx.db.loginNonce.findUnique({ where: { nonce: login.nonce } })
  if (!known || known.usedAt !== null || known.expiresAt <= now) throw unusableNonce()
  const isOperator = kind.operators.includes(login.address)
  if (!(await isSigned(ctx, { ...input, address: login.address, isOperator })))
    throw signatureInvalid(login.address, `Sign the message with the ${isOperator ? 'key of the wallet' : 'wallet'} that it names.`)
  return inTransaction(ctx, async (outer) => {
    const { isApiToken, lifetimeMs, operators } = kind
    const scopes = isApiToken ? login.scopes : []
    const person = personOf({ ...login, operators, scopes: isApiToken ? scopes : null })
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
    const expiresAt = new Date(now.getTime() + lifetimeMs)
    // Invisible characters could hide what a program calls itself.
    const userAgent = removeInvisible(input.userAgent).slice(0, 200)
    await tx.db.session.create({
      data: {
        ...{ id, tokenHash: hashSecret(token), personId: login.did, userAgent, isApiToken, scopes: [...scopes] },
        ...{ createdAt: now, seenAt: now, expiresAt },
      },
    })
    await appendAudit(tx, {
      stream: login.did,
      action: 'session.open',
      after: { session: id, expires_at: expiresAt, ...(isApiToken && { scopes }) },
    })
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

type Holder = {
  readonly did: Extract<Actor, { kind: 'person' }>['did']
  readonly address: `0x${string}`
  /** Wallets that see the operator pages. */
  readonly operators: readonly string[]
  /** Null for a login in a browser. A token never sees the operator pages. */
  readonly scopes: readonly ApiScope[] | null
}

/** The actor of a wallet. */
export function personOf({ did, address, operators, scopes }: Holder): Extract<Actor, { kind: 'person' }> {
  return scopes === null
    ? { kind: 'person', did, address, isOperator: operators.includes(address) }
    : { kind: 'person', did, address, isOperator: false, scopes }
}
