import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { seeded } from '../support/random.ts'
import { type Case, casesOf, nameOf } from './edge/cases.ts'
import { answerFaults, sizeFaults } from './edge/oracles.ts'
import { runFuzz } from './edge/run.ts'
import { isRefusal } from './edge/try-refusals.ts'
import { completion } from './inputs/add-optional-fields.ts'
import { isTree, raw, replaceAt, toBytes, writeJson } from './inputs/json-text.ts'
import { everywhere, mutationsOf, narrowed, positionsOf } from './inputs/mutations.ts'
import { type Schema, sample } from './inputs/schema.ts'
import type { Operation, Place } from './operations/operations.ts'
import { procedureOperations } from './operations/procedures.ts'

const known = { byName: { goal_id: `gol_${'1'.repeat(32)}` }, all: [`gol_${'1'.repeat(32)}`, `gol_${'2'.repeat(32)}`] }
const schema: Schema = {
  type: 'object',
  properties: {
    goal_id: { type: 'string', pattern: '^gol_[0-9a-f]{32}$' },
    text: { type: 'string', minLength: 3, maxLength: 400 },
    seq: { type: 'integer', minimum: 1, maximum: 9 },
    parts: {
      type: 'array',
      maxItems: 4,
      items: { type: 'object', properties: { data: { type: 'object', additionalProperties: {} } }, additionalProperties: {} },
    },
  },
  additionalProperties: {},
}

describe('cases', () => {
  const base = sample(schema, known)
  const changes = positionsOf(base, schema).flatMap((position) =>
    mutationsOf(position, known).map((one) => ({ ...one, path: position.path })),
  )
  const named = (name: string, at: string) => changes.find((one) => one.name === name && one.path.join('.') === at)

  it('begin with a valid input of what is alive', () => {
    expect(base).toMatchObject({ goal_id: known.byName.goal_id, seq: 1, parts: [{ data: { kind: 'note' } }] })
  })

  it('reach every key, string and number', () => {
    const places = new Set(changes.map(({ path: at }) => at.join('.')))
    expect([...places]).toEqual(['', 'goal_id', 'text', 'seq', 'parts', 'parts.0', 'parts.0.data', 'parts.0.data.kind'])
  })

  it('put reserved keys where the schema allows any', () => {
    const changed = named('key-__proto__', 'parts.0.data')
    expect(changed?.isWithin).toBe(true)
    expect(writeJson(changed?.apply(base) ?? null)).toContain('"data":{"kind":"note","__proto__":{"a":1}}')
  })

  it('change what stands there when they are sent, not what stood there when they were made', () => {
    const later = replaceAt(base, ['parts', 0, 'data', 'kind'], () => 'other')
    expect(writeJson(named('key-constructor', 'parts.0.data')?.apply(later) ?? null)).toContain('"data":{"kind":"other","constructor"')
  })

  it('put one class at all places at once', () => {
    const all = everywhere(base, schema, known)
    const nul = JSON.parse(writeJson(all.find(({ name }) => name === 'every-nul')?.apply(base) ?? null)) as { [field: string]: unknown }
    expect(nul).toMatchObject({ goal_id: known.byName.goal_id, text: 'a\0b', seq: 1, parts: [{ data: { kind: 'a\0b' } }] })
    const keys = writeJson(all.find(({ name }) => name === 'every-key-prototype')?.apply(base) ?? null)
    expect(keys.match(/"prototype"/g)).toHaveLength(3)
  })

  it('leave out the places that a refusal names, and take them by halves where it names none', () => {
    const every = everywhere(base, schema, known).find(({ name }) => name === 'every-nul')
    if (!every) throw new Error('it is not there')
    const [without, ...none] = narrowed(every, ['parts[0].data.kind'])
    expect([without?.parts?.map(({ place }) => place), none]).toEqual([['text'], []])
    expect(writeJson(without?.apply(base) ?? null)).toContain('"data":{"kind":"note"}')
    expect(narrowed(every, []).map(({ parts }) => parts?.map(({ place }) => place))).toEqual([['text'], ['parts[].data.kind']])
    expect(without && narrowed(without, [])).toEqual([])
  })

  it('know what the schema allows and what not', () => {
    expect(named('longest', 'text')?.isWithin).toBe(true)
    expect(named('one-too-long', 'text')?.isWithin).toBe(false)
    expect(named('other-0', 'goal_id')?.isWithin).toBe(true)
    expect([named('maximum', 'seq')?.isWithin, named('above-maximum', 'seq')?.isWithin]).toEqual([true, false])
  })

  it('write bytes that are no UTF-8, and text that is no JSON', () => {
    const bytes = toBytes(writeJson(named('bad-bytes', 'text')?.apply(base) ?? null))
    expect(() => new TextDecoder('utf-8', { fatal: true }).decode(bytes)).toThrow('not valid')
    expect(writeJson(replaceAt({ a: [1] }, ['a', 0], () => raw('1e999')))).toBe('{"a":[1e999]}')
  })

  it('come again by their names, with the same seed', async () => {
    const operation = { name: 'x', schema, base: () => base, roles: ['client'] } as unknown as Operation
    const place = { scene: { known } } as unknown as Place
    const names = async () => (await casesOf(operation, 'client', place, seeded(3))).map((one: Case) => nameOf(one))
    expect(await names()).toEqual(await names())
    expect(new Set(await names()).size).toBeGreaterThan(300)
  })

  it('are made for every procedure of the router', () => {
    const operations = procedureOperations()
    expect(operations.length).toBeGreaterThan(60)
    expect(operations.filter((one) => isTree(one.schema as never) && Object.keys(one.schema).length > 0).length).toBeGreaterThan(50)
  })
})

describe('a base', () => {
  const open: Schema = {
    type: 'object',
    required: ['name'],
    properties: {
      name: { type: 'string', maxLength: 20 },
      policy: { type: 'object', properties: { note: { type: 'string', maxLength: 9 }, seq: { type: 'integer', minimum: 1 } } },
      samples: { type: 'array', items: { type: 'object', properties: { input: {} } } },
    },
  }

  it('is completed with each optional place, those of lists and of inner objects too', () => {
    const whole = completion({ name: 'a', policy: { seq: 2 }, samples: [] }, open, known)
    expect(whole?.parts?.map(({ place }) => place).sort()).toEqual(['policy.note', 'samples'])
    expect(whole?.apply({ name: 'b', policy: { seq: 3 }, samples: [] })).toMatchObject({
      name: 'b',
      policy: { seq: 3, note: expect.any(String) },
      samples: [{ input: 'anything' }],
    })
  })

  it('is left as it is where nothing is missing', () => {
    expect(completion({ name: 'a', policy: { note: 'b', seq: 1 }, samples: [{ input: null }] }, open, known)).toBeNull()
  })
})

describe('refusals', () => {
  const operation = { name: 'command:x', isReading: false, isStream: false } as unknown as Operation
  const one = (mutation: object): Case => ({
    operation,
    role: 'client',
    place: 'text',
    mutation: { name: 'longest', group: 'size', isWithin: true, apply: (value) => value, ...mutation },
  })

  it('are what the schema forbids, unless it has to be measured alone', () => {
    expect(isRefusal(one({ isWithin: false }))).toBe(true)
    expect(isRefusal(one({}))).toBe(false)
    expect(isRefusal(one({ isWithin: false, group: 'huge' }))).toBe(false)
  })
})

describe('oracles', () => {
  const answer = { status: 200, text: '{}', bytes: 2, headers: {} }
  const stream = { ...answer, headers: { 'content-type': 'text/event-stream' } }
  it('bound the events of a stream, and not their sum', () => {
    const text = 'data: 1\n\ndata: 2\n\n'
    expect(answerFaults('trpc:conversations.follow', { ...stream, text, bytes: 5_000_000 })).toEqual([])
  })

  it.each([
    ['no bug', { ...answer, status: 500 }],
    ['no bug', { ...answer, text: '{"code":"server.internal_error"}' }],
    ['answers', { ...answer, status: 0, fault: 'no answer within 20000 ms' }],
    ['bounded answer', { ...answer, bytes: 5_000_000 }],
    ['bounded answer', { ...stream, text: `data: 1\n\ndata: ${'x'.repeat(4_200_000)}\n\n`, bytes: 4_200_020 }],
    ['bounded answer', { ...stream, text: 'data: x', bytes: 5_000_000 }],
    ['redirects stay here', { ...answer, headers: { location: '//other.example/x' } }],
    ['redirects stay here', { ...answer, headers: { location: 'https://other.example' } }],
    ['a login stays in its browser', { ...answer, headers: { 'set-cookie': ['parley_session=a; Path=/; SameSite=Lax'] } }],
  ])('see what breaks "%s"', (oracle, broken) => {
    expect(answerFaults('page:/', answer)).toEqual([])
    expect(answerFaults('page:/', broken).map((one) => one.oracle)).toEqual([oracle])
  })
})

describe('the size of what is delivered', () => {
  const heard = (length: number) => ({
    overheard: [{ role: 'worker' as const, text: `{"type":"deliver","envelope":"${'x'.repeat(length)}"}` }],
  })

  it('is that of an envelope at most', () => {
    expect(sizeFaults(heard(262_144))).toEqual([])
    expect(sizeFaults(heard(300_000)).map(({ oracle }) => oracle)).toEqual(['bounded messages'])
  })
})

// It starts the whole product.
describe('a run', { timeout: 420_000 }, () => {
  it('finds a planted fault in a few places, and nothing else there', async () => {
    const lines: string[] = []
    const { findings, coverage } = await runFuzz({
      ...{ seed: 1, minutes: 1, sweeps: false, maxCases: 60, tell: (line: string) => void lines.push(line) },
      fitting: /^(hub:GET \/v1\/server|trpc:pools\.list|page:\/rooms$)/,
      preload: path.join(import.meta.dirname, 'planted/inject-fault.ts'),
      env: { PLANTED_FAULT: 'NUL' },
      endsWith: ({ oracle }) => oracle === 'no bug',
    })
    expect(new Set(findings.map(({ oracle }) => oracle)), lines.join('\n')).toEqual(new Set(['no bug']))
    expect(coverage.figures()).toMatchObject({ operations: 3 })
    expect(coverage.figures().accepted).toBeGreaterThan(10)
  })
})
