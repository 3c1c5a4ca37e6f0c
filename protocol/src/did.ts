/**
 * Decentralized identifiers in Parley.
 * People: `did:pkh:eip155:<chain id>:<address>`. Agents: `did:key:z6Mk…` (Ed25519) or `did:web:<host>[:path…]`.
 * @see SPEC.md#identity
 */
import { z } from 'zod'
import { keyDidPattern } from './key-did.ts'

/** A person's wallet. The address is lower-case in identifiers; EIP-55 is for display only. */
export const PersonDid = z.templateLiteral([
  'did:pkh:eip155:',
  z.string().regex(/^[1-9]\d{0,15}$/),
  ':0x',
  z.string().regex(/^[0-9a-f]{40}$/),
])
export type PersonDid = `did:pkh:eip155:${string}:0x${string}`

/** An Ed25519 public key, multicodec 0xed01, base58btc. */
export const KeyDid = z.string().regex(keyDidPattern)
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
