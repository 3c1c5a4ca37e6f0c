import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import {
  AgentFrame,
  Charter,
  Command,
  callTransitions,
  canonicalBytes,
  canonicalize,
  chainHash,
  channelTransitions,
  charterDraftTransitions,
  charterHash,
  commandTypes,
  conversationTransitions,
  type DeliveredEnvelope,
  DiscoverQuery,
  delegationBytes,
  disputeTransitions,
  Envelope,
  Event,
  Feedback,
  GoalBrief,
  GoalOffer,
  goalTransitions,
  helloBytes,
  holdTransitions,
  type Json,
  Listing,
  ListingDraft,
  Part,
  Problem,
  parseStrict,
  RegistryPage,
  RegistryStatement,
  readEnvelope,
  readStatement,
  ServerFrame,
  Signature,
  settlementOfferTransitions,
  sha256,
  signerFromSeed,
  statementBytes,
  stepTransitions,
  taskTransitions,
  teamTransitions,
  transferTransitions,
  verifyBytes,
  verifyDelegation,
  verifyEnvelope,
} from '@parley/protocol'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'

const protocol = path.join(import.meta.dirname, '../../protocol')
const read = (file: string) => JSON.parse(readFileSync(path.join(protocol, file), 'utf8'))
const folder = (name: string) => readdirSync(path.join(protocol, 'vectors', name)).map((file) => read(`vectors/${name}/${file}`))

const types: Record<string, { safeParse(value: unknown): { success: boolean } }> = {
  'agent-frame': AgentFrame,
  charter: Charter,
  command: Command,
  'discover-query': DiscoverQuery,
  envelope: Envelope,
  event: Event,
  feedback: Feedback,
  'goal-brief': GoalBrief,
  'goal-offer': GoalOffer,
  listing: Listing,
  'listing-draft': ListingDraft,
  part: Part,
  problem: Problem,
  'registry-page': RegistryPage,
  'registry-statement': RegistryStatement,
  'server-frame': ServerFrame,
  signature: Signature,
}

// Patterns carry what formats say; JSON Schema reads formats as notes by default.
const ajv = new Ajv2020({ strict: false, validateFormats: false })
const schemas = Object.fromEntries(Object.keys(types).map((type) => [type, ajv.compile(read(`schemas/${type}.json`))]))

type Vector = { type: string; cases: { name: string; value: unknown; beyond_schema?: true }[] }
const flat = (name: string) =>
  (folder(name) as Vector[]).flatMap(({ type, cases }) => cases.map((one) => ({ type, ...one, title: `${type}: ${one.name}` })))

describe('valid', () => {
  it.each(flat('valid'))('$title', ({ type, value }) => {
    expect(types[type]?.safeParse(value)).toMatchObject({ success: true })
    expect(schemas[type]?.(value), ajv.errorsText(schemas[type]?.errors)).toBe(true)
  })

  it('has every command and every type', () => {
    expect(flat('valid').flatMap(({ type, value }) => (type === 'command' ? (value as { type: string }).type : []))).toEqual(
      expect.arrayContaining(commandTypes),
    )
    expect([...new Set(flat('valid').map(({ type }) => type))].sort()).toEqual(Object.keys(types).sort())
  })
})

describe('invalid', () => {
  it.each(flat('invalid'))('$title', ({ type, value, beyond_schema }) => {
    expect(types[type]?.safeParse(value)).toMatchObject({ success: false })
    // A few rules can't be said in JSON Schema. They are marked, so that the other half notices when one could be.
    expect(schemas[type]?.(value)).toBe(beyond_schema ?? false)
  })
})

describe('transitions', () => {
  const tables: Record<string, Record<string, readonly string[]>> = {
    conversation: conversationTransitions,
    goal: goalTransitions,
    hold: holdTransitions,
    team: teamTransitions,
    'charter-draft': charterDraftTransitions,
    task: taskTransitions,
    step: stepTransitions,
    dispute: disputeTransitions,
    'settlement-offer': settlementOfferTransitions,
    channel: channelTransitions,
    call: callTransitions,
    transfer: transferTransitions,
  }

  it.each(Object.keys(tables))('%s', (machine) => {
    const vector = read(`vectors/transitions/${machine}.json`) as { states: string[]; allowed: [string, string][] }
    const table = tables[machine] ?? {}
    expect(Object.keys(table)).toEqual(vector.states)
    for (const from of vector.states)
      for (const to of vector.states)
        expect(table[from]?.includes(to), `${from} to ${to}`).toBe(vector.allowed.some(([a, b]) => a === from && b === to))
  })
})

describe('canonical', () => {
  it.each(read('vectors/canonical/accepted.json').cases as { text: string; canonical: string; sha256: string }[])('$text', async (one) => {
    const value = parseStrict(one.text)
    expect(canonicalize(value)).toBe(one.canonical)
    expect(await sha256(canonicalBytes(value))).toBe(one.sha256)
    expect(canonicalize(parseStrict(one.canonical))).toBe(one.canonical)
  })

  it.each(read('vectors/canonical/refused.json').cases as { name: string; text: string }[])('refuses $name', ({ text }) => {
    expect(() => parseStrict(text)).toThrowError(expect.objectContaining({ name: 'CanonicalError' }))
  })
})

describe('signatures', () => {
  it('hello', async () => {
    const { seed, bytes, signature, ...hello } = read('vectors/signatures/hello.json')
    const signer = await signerFromSeed(seed)
    expect(signer.did).toBe(hello.did)
    expect(new TextDecoder().decode(helloBytes(hello))).toBe(bytes)
    expect(await signer.sign(helloBytes(hello))).toBe(signature)
    expect(await verifyBytes(hello.did, helloBytes({ ...hello, audience: hello.did }), signature)).toBe(false)
  })

  it('delegation', async () => {
    const { agent, server, seed, delegation, bytes } = read('vectors/signatures/delegation.json')
    expect(new TextDecoder().decode(delegationBytes({ agent, server }, delegation))).toBe(bytes)
    expect(await (await signerFromSeed(seed)).sign(delegationBytes({ agent, server }, delegation))).toBe(delegation.value)
    expect(await verifyDelegation({ agent, server }, delegation)).toBe(true)
    expect(await verifyDelegation({ agent, server: agent }, delegation)).toBe(false)
  })

  const vector = read('vectors/signatures/envelope.json') as {
    server: { did: string }
    cases: { name: string; genuine: boolean; envelope: Envelope }[]
  }
  it.each(vector.cases)('envelope $name', async ({ genuine, envelope }) => {
    const { ok, ...got } = readEnvelope(JSON.stringify(envelope))
    expect(ok).toBe(true)
    expect('envelope' in got && (await verifyEnvelope(got.envelope, vector.server.did))).toBe(genuine)
  })

  it('charter', async () => {
    const { charter, canonical, hash } = read('vectors/signatures/charter.json')
    expect(canonicalize(charter)).toBe(canonical)
    expect(await charterHash(Charter.parse(charter))).toBe(hash)
  })

  const stated = read('vectors/signatures/statement.json') as {
    issuer: string
    origin: string
    now: string
    bytes: string
    cases: { name: string; why: string | null; statement: { [field: string]: Json } }[]
  }
  it.each(stated.cases)('statement $name', async ({ why, statement }) => {
    const { fault } = await readStatement(statement, { ...stated, now: Date.parse(stated.now) })
    expect(fault?.why ?? null).toBe(why)
  })
  it('statement, its bytes', () => {
    expect(new TextDecoder().decode(statementBytes(stated.cases[0]?.statement ?? {}))).toBe(stated.bytes)
  })

  it('transcript', async () => {
    const { start, messages } = read('vectors/signatures/transcript.json') as {
      start: string
      messages: { envelope: DeliveredEnvelope; hash: string }[]
    }
    let previous = start
    for (const { envelope, hash } of messages) {
      expect(await chainHash(previous, { ...envelope, received_at: '2000-01-01T00:00:00Z' })).toBe(hash)
      previous = hash
    }
  })
})
