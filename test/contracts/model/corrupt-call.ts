/** One thing wrong with a call that would else go through. */
import { who } from './escrow-on-chain.ts'
import type { Call, Message, Signature } from './types.ts'

type Node = Record<string, unknown>

/** What each flaw does; the numbers from 20 spoil terms, and those from 40 charters, where these are made. */
const flaws: ((call: Node) => Node)[] = [
  (call) => ({ ...call, from: who.stranger }),
  (call) => onFirst(call, isSignature, (signature) => ({ ...(signature as NonNullable<Signature>), by: who.stranger })),
  (call) => onFirst(call, isSignature, () => null),
  (call) =>
    onFirst(call, isSignature, (signature) => ({
      ...(signature as object),
      signedMessage: otherThan((signature as NonNullable<Signature>).signedMessage),
    })),
  (call) =>
    onFirst(call, isSignature, (signature) => ({
      ...(signature as object),
      signedMessage: otherType((signature as NonNullable<Signature>).signedMessage),
    })),
  (call) =>
    onFirst(
      call,
      (_, name) => name === 'terms',
      (terms) => ({ ...(terms as object), salt: 0n }),
    ),
  (call) =>
    onFirst(
      call,
      (part, name) => typeof part === 'object' && (name === 'charter' || name === 'replaced'),
      (charter) => ({ ...(charter as object), charterHash: `0x${'ee'.repeat(32)}` }),
    ),
  (call) =>
    onFirst(
      call,
      (_, name) => name === 'bits',
      (bits) => (bits as bigint) | (1n << 63n),
    ),
  (call) =>
    onFirst(
      call,
      (_, name) => name === 'step',
      () => 63,
    ),
  (call) =>
    onFirst(
      call,
      (_, name) => name === 'version',
      (version) => Math.max(0, (version as number) - 1),
    ),
  (call) =>
    onFirst(
      call,
      (_, name) => name === 'bits',
      () => 0n,
    ),
  (call) =>
    onFirst(
      call,
      (_, name) => name === 'memberSignatures',
      (members) => (members as unknown[]).slice(1),
    ),
  (call) =>
    onFirst(
      call,
      (_, name) => name === 'memberSignatures',
      (members) => [...(members as unknown[]), ...(members as unknown[]).slice(0, 1)],
    ),
  (call) =>
    onFirst(
      call,
      (_, name) => name === 'signer',
      () => who.stranger,
    ),
  (call) =>
    onFirst(
      call,
      (_, name) => name === 'account',
      () => who.stranger,
    ),
  (call) =>
    onFirst(
      call,
      (_, name) => name === 'step',
      () => 255,
    ),
  (call) =>
    onFirst(
      call,
      (_, name) => name === 'by',
      () => who.stranger,
    ),
]

export const flawCount = 60

export function corruptCall(call: Call, flaw: number): Call {
  const change = flaws[flaw]
  const spoiled = change ? (change(call as Node) as Call) : call
  // Spoiled terms may name a client or evaluator that has no key to call with.
  return keyed.has(spoiled.from) ? spoiled : { ...spoiled, from: who.stranger }
}

const keyed = new Set(Object.values(who))

/** The value with its first part that `is` says changed; itself if there is none. */
function onFirst(value: Node, is: (part: unknown, name: string) => boolean, change: (part: unknown) => unknown): Node {
  let done = false
  const walk = (part: unknown, name: string): unknown => {
    if (done) return part
    if (is(part, name)) {
      done = true
      return change(part)
    }
    if (Array.isArray(part)) return part.map((each) => walk(each, name))
    if (part === null || typeof part !== 'object') return part
    return Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, key === 'signedMessage' ? inner : walk(inner, key)]))
  }
  return walk(value, '') as Node
}

const isSignature = (part: unknown, name: string) => /signature$/i.test(name) && part !== null

function otherThan(signedMessage: Message): Message {
  const [name, value] = Object.entries(signedMessage).find(([, one]) => typeof one === 'bigint' || typeof one === 'number') ?? ['', 0]
  const other = typeof value === 'bigint' ? value ^ 1n : (value as number) ^ 1
  return name === '' ? signedMessage : { ...signedMessage, [name]: other }
}

/** Of the types with the same fields, another; else a charter of the same name. */
function otherType(signedMessage: Message): Message {
  if (signedMessage.type === 'Attestation') return { ...signedMessage, type: 'Release' }
  if (signedMessage.type === 'Release' || signedMessage.type === 'HalfAttestation') return { ...signedMessage, type: 'Attestation' }
  return otherThan(signedMessage)
}
