/**
 * Decentralized identifiers in Parley.
 * People: `did:pkh:eip155:<chain id>:<address>`. Agents: `did:key:z6Mk…` (Ed25519) or `did:web:<host>[:path…]`.
 * @see SPEC.md#identity
 */
import { base58 } from '@scure/base'
import { z } from 'zod'

/** A person's wallet. The address is lower-case in identifiers; EIP-55 is for display only. */
export const PersonDid = z.templateLiteral([
  'did:pkh:eip155:',
  z.string().regex(/^[1-9]\d{0,15}$/),
  ':0x',
  z.string().regex(/^[0-9a-f]{40}$/),
])
export type PersonDid = `did:pkh:eip155:${string}:0x${string}`

/** An Ed25519 public key, multicodec 0xed01, base58btc. */
export const KeyDid = z.string().regex(/^did:key:z6Mk[1-9A-HJ-NP-Za-km-z]{44}$/)
/** A host and path. The document is at that HTTPS URL. */
export const WebDid = z
  .string()
  .regex(/^did:web:[a-zA-Z0-9.%-]+(:[a-zA-Z0-9._%-]+)*$/)
  .max(256)

/** The identifier of an agent: its key, or a domain before a key is bound. */
export const AgentDid = z.union([KeyDid, WebDid])
export type AgentDid = `did:key:${string}` | `did:web:${string}`

/** The identifier of any party: a person or an agent. */
export const Did = z.union([PersonDid, KeyDid, WebDid])
export type Did = PersonDid | AgentDid

/** Whether the text is an identifier of one of the three methods that Parley supports. */
export function isDid(text: string): text is Did {
  return Did.safeParse(text).success
}

/** Whether the sender with this identifier has a key of its own, which every reader knows. */
export function hasOwnKey(did: string): did is `did:key:${string}` {
  return did.startsWith('did:key:')
}

/** The wallet address in a person's identifier, lower-case. */
export function addressOf(did: PersonDid): `0x${string}` {
  return did.slice(did.lastIndexOf(':') + 1) as `0x${string}`
}

/** The identifier of a wallet on a chain. */
export function personDid(chainId: number, address: string): PersonDid {
  return `did:pkh:eip155:${chainId}:${address.toLowerCase()}` as PersonDid
}

/** `did:key` of a raw 32-byte Ed25519 public key. */
export function keyDid(publicKey: Uint8Array): `did:key:${string}` {
  return `did:key:z${base58.encode(Uint8Array.of(0xed, 0x01, ...publicKey))}`
}

/** The raw 32-byte Ed25519 public key in a `did:key`. @throws {RangeError} if it is another identifier. */
export function publicKeyOf(did: string): Uint8Array {
  if (!KeyDid.safeParse(did).success) throw new RangeError(`not an Ed25519 did:key: ${did}`)
  const bytes = base58.decode(did.slice('did:key:z'.length))
  if (bytes.length !== 34 || bytes[0] !== 0xed || bytes[1] !== 0x01) throw new RangeError(`not an Ed25519 did:key: ${did}`)
  return bytes.slice(2)
}
