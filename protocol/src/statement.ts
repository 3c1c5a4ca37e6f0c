/**
 * Registry statements: what one installation says of the agents that are listed with it, signed by its server's key, for
 * other installations to read. Each is about the issuer's own registry only. @see SPEC.md#federation
 */
import { z } from 'zod'
import { canonicalBytes, canonicalize, isWithin, type Json } from './canonical.ts'
import { KeyDid, PersonDid } from './did.ts'
import { AgentId } from './id.ts'
import { Asset } from './money.ts'
import { Base64Url, helloBytes, type Signer, verifyBytes } from './signature.ts'
import { ListingDraft, Origin, Score } from './skill.ts'

/** Canonical bytes of one statement, its signature included. */
export const maxStatementBytes = 81_920
/** The longest that a statement may hold, from `issued_at` to `expires_at`. */
export const maxStatementLifeMs = 7 * 86_400_000
/** How far the clocks of two servers may differ. */
const clockSkewMs = 300_000

/** An agent as its issuer offers it. */
export const RegistryOffer = z.looseObject({
  did: KeyDid.describe('What the agent proves itself with, at its home and elsewhere.'),
  key_proof: z
    .looseObject({ nonce: z.string().min(1).max(100), signature: Base64Url.length(86) })
    .describe("The agent's own hello to the issuer: its key has been there. No proof to anybody else."),
  owner_id: PersonDid,
  asset: Asset.describe('What prices are counted in.'),
  version: z.int().positive(),
  published_at: z.iso.datetime(),
  listing: ListingDraft,
  score: Score.describe("What the issuer's own market says of it: a claim."),
})
export type RegistryOffer = z.infer<typeof RegistryOffer>

const said = {
  v: z.literal(1),
  origin: Origin.describe("The issuer's own public address."),
  agent_id: AgentId.describe("The issuer's id of the agent."),
  revision: z.int().positive().describe("The place of the last change in the issuer's registry; of two statements the higher one holds."),
  issued_at: z.iso.datetime(),
  expires_at: z.iso.datetime(),
  withdrawn_at: z.iso.datetime().nullable(),
  offer: RegistryOffer.nullable().describe('Null: not on offer, withdrawn or without a key of its own.'),
}
const StatementDraft = z.object(said)
/** What a statement says, before it is signed. */
export type StatementDraft = z.infer<typeof StatementDraft>

export const RegistryStatement = z.looseObject({
  ...said,
  issuer: KeyDid.describe("The server's DID, whose key has signed."),
  sig: Base64Url.length(86),
})
export type RegistryStatement = z.infer<typeof RegistryStatement>

/** A page of a registry, oldest change first. Each statement is checked by itself; the page is not signed. */
export const RegistryPage = z.looseObject({
  v: z.literal(1),
  statements: z.array(z.record(z.string(), z.json())).max(200),
  next: z.int().nonnegative().describe('What to ask for `after` next.'),
  more: z.boolean(),
})
export type RegistryPage = z.infer<typeof RegistryPage>

/** What the issuer signs. */
export function statementBytes(statement: { readonly [field: string]: Json }): Uint8Array<ArrayBuffer> {
  const { sig: _, ...unsigned } = statement
  return canonicalBytes({ purpose: 'parley-statement-v1', statement: unsigned })
}

/** The statement as it goes over the wire. */
export async function signStatement(signer: Signer, statement: StatementDraft): Promise<RegistryStatement> {
  const unsigned = { ...statement, issuer: signer.did }
  return { ...unsigned, sig: await signer.sign(statementBytes(unsigned as never)) } as RegistryStatement
}

/** Why a statement is not taken; `why` is for programs, `detail` for people. */
export type StatementFault = {
  readonly why: 'size' | 'shape' | 'issuer' | 'origin' | 'signature' | 'time' | 'key'
  readonly detail: string
}
export type ReadStatement = { readonly statement: RegistryStatement; readonly fault: null } | { readonly fault: StatementFault }

/**
 * Reads one statement as received, from the issuer and origin that it was asked of: what those say of anybody else is
 * refused. The signature is checked over the received value, before defaults are filled in. `now`: Unix milliseconds.
 */
export async function readStatement(
  received: { readonly [field: string]: Json },
  from: { readonly issuer: string; readonly origin: string; readonly now: number },
): Promise<ReadStatement> {
  const fault = (why: StatementFault['why'], detail: string): ReadStatement => ({ fault: { why, detail } })
  if (!isWithin(received)) return fault('size', 'It is nested too deep or has too many fields.')
  const size = new TextEncoder().encode(canonicalize(received)).length
  if (size > maxStatementBytes) return fault('size', `It has ${size} bytes. The maximum is ${maxStatementBytes}.`)
  const parsed = RegistryStatement.safeParse(received)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    return fault('shape', `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not a statement'}`)
  }
  const statement = parsed.data
  if (statement.issuer !== from.issuer) return fault('issuer', `It was issued by ${statement.issuer}.`)
  if (statement.origin !== from.origin)
    return fault('origin', `It is about ${statement.origin}. A market can issue statements only about itself.`)
  if (!(await verifyBytes(from.issuer, statementBytes(received), statement.sig))) return fault('signature', 'The signature is invalid.')
  const issued = Date.parse(statement.issued_at)
  const expires = Date.parse(statement.expires_at)
  if (issued > from.now + clockSkewMs) return fault('time', `Its time of issue is in the future: ${statement.issued_at}.`)
  if (expires <= from.now) return fault('time', `It expired at ${statement.expires_at}.`)
  if (expires - issued > maxStatementLifeMs) return fault('time', 'It is valid for more than seven days.')
  const { offer } = statement
  if (offer) {
    const hello = helloBytes({ audience: from.issuer, nonce: offer.key_proof.nonce, did: offer.did })
    if (!(await verifyBytes(offer.did, hello, offer.key_proof.signature)))
      return fault('key', 'The key of the agent has never signed in with the issuer.')
  }
  return { statement, fault: null }
}
