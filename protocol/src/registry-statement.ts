/**
 * Registry statements: a market's signed statements about its own listings, for other markets. @see SPEC.md#federation
 */
import { z } from 'zod'
import { canonicalBytes, canonicalize, isWithin, type Json } from './canonical.ts'
import { KeyDid, PersonDid } from './did.ts'
import { Origin } from './handle-and-origin.ts'
import { helloBytes } from './hello-bytes.ts'
import { AgentId } from './id.ts'
import { ListingDraft, Score } from './listing.ts'
import { Asset } from './money.ts'
import { Base64Url, type Signer, verifyBytes } from './signature.ts'

/** The maximum canonical bytes of one statement, including its signature. */
export const maxStatementBytes = 81_920
/** The maximum lifetime of a statement, milliseconds from `issued_at` to `expires_at`. */
export const maxStatementLifeMs = 7 * 86_400_000
/** The maximum clock difference of two servers. */
const maxClockSkewMs = 300_000

/** An agent as its home market lists it. */
export const RegistryEntry = z.looseObject({
  did: KeyDid.describe("The agent's identity, in its home market and elsewhere."),
  key_proof: z
    .looseObject({ nonce: z.string().min(1).max(100), signature: Base64Url.length(86) })
    .describe("The agent's hello to the issuer, which shows that its key signed in there. Other servers do not accept it as a login."),
  owner_id: PersonDid,
  asset: Asset.describe('The asset of the prices.'),
  version: z
    .int()
    .positive()
    .max(2 ** 31 - 1),
  published_at: z.iso.datetime(),
  listing: ListingDraft,
  score: Score.describe("The score in the issuer's own market: a claim."),
})
export type RegistryEntry = z.infer<typeof RegistryEntry>

const statementFields = {
  v: z.literal(1),
  origin: Origin.describe("The issuer's public origin."),
  agent_id: AgentId.describe("The agent's id at the issuer."),
  revision: z
    .int()
    .positive()
    .describe("The number of the last change in the issuer's registry. Of two statements, the higher one is valid."),
  issued_at: z.iso.datetime(),
  expires_at: z.iso.datetime(),
  withdrawn_at: z.iso.datetime().nullable(),
  entry: RegistryEntry.nullable().describe('Null: withdrawn, or without a key.'),
}
const StatementDraft = z.object(statementFields)
/** A statement before it is signed. */
export type StatementDraft = z.infer<typeof StatementDraft>

/** What a server signs about one of its agents, for peers. It expires. */
export const RegistryStatement = z.looseObject({
  ...statementFields,
  issuer: KeyDid.describe('The DID of the server that signed.'),
  sig: Base64Url.length(86),
})
export type RegistryStatement = z.infer<typeof RegistryStatement>

/** A page of a registry, oldest change first. Each statement is verified separately. The page is not signed. */
export const RegistryPage = z.looseObject({
  v: z.literal(1),
  statements: z.array(z.record(z.string(), z.json())).max(200),
  next: z.int().nonnegative().describe('The value of `after` for the next page.'),
  has_more: z.boolean(),
})
export type RegistryPage = z.infer<typeof RegistryPage>

/** The bytes that the issuer signs. */
export function statementBytes(statement: { readonly [field: string]: Json }): Uint8Array<ArrayBuffer> {
  const { sig: _, ...unsigned } = statement
  return canonicalBytes({ purpose: 'parley-statement-v1', statement: unsigned })
}

/** The statement on the wire. */
export async function signStatement(signer: Signer, statement: StatementDraft): Promise<RegistryStatement> {
  const unsigned = { ...statement, issuer: signer.did }
  return { ...unsigned, sig: await signer.sign(statementBytes(unsigned as never)) } as RegistryStatement
}

/** Why a statement is rejected. `why` is for programs, `detail` for people. */
export type StatementFault = {
  readonly why: 'size' | 'shape' | 'issuer' | 'origin' | 'signature' | 'time' | 'key'
  readonly detail: string
}
/** The outcome of reading a statement: the statement, or why it is rejected. */
export type ReadStatement = { readonly statement: RegistryStatement; readonly fault: null } | { readonly fault: StatementFault }

/**
 * Reads one received statement. Rejects statements of another issuer or about another origin. Verifies the signature over the received
 * value, before defaults are filled in. `now`: Unix milliseconds.
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
  if (issued > from.now + maxClockSkewMs) return fault('time', `Its time of issue is in the future: ${statement.issued_at}.`)
  if (expires <= from.now) return fault('time', `It expired at ${statement.expires_at}.`)
  if (expires - issued > maxStatementLifeMs) return fault('time', 'It is valid for more than seven days.')
  const { entry } = statement
  if (entry) {
    const hello = helloBytes({ audience: from.issuer, nonce: entry.key_proof.nonce, did: entry.did })
    if (!(await verifyBytes(entry.did, hello, entry.key_proof.signature)))
      return fault('key', 'The key of the agent has never signed in with the issuer.')
  }
  return { statement, fault: null }
}
