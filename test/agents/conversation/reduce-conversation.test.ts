import {
  blockingTasks,
  type Conversation,
  isCharterRecorded,
  listOpenTasks,
  listUnsigned,
  nextCharterVersion,
  reduceConversation,
  startConversation,
} from '@parley/agents'
import { conversationStates, conversationTransitions, type Envelope, speechActs } from '@parley/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { charterOf } from '../charters.ts'
import { id, uuid } from '../stub-hub.ts'

const server = 'did:key:z6MkServer'
const principal = 'did:web:parley.example:agents:principal'
const worker = 'did:web:parley.example:agents:worker'
const plotter = 'did:web:parley.example:agents:plotter'
const room_id = id('rom')
const charter = charterOf({
  principal,
  room_id,
  members: [
    { did: worker, skill_id: 'figures.lookup' },
    { did: plotter, skill_id: 'chart.draw_text', mode: 'async' },
  ],
})
const hash = `0x${'a'.repeat(64)}`
const [one, two] = [id('tsk'), id('tsk')]

type Line = Partial<Envelope> & { data?: Record<string, unknown>; text?: string }

function envelopeOf(seq: number, { data, text, ...more }: Line): Envelope {
  const parts = [...(text ? [{ text }] : []), ...(data ? [{ data: data as never }] : []), ...(more.parts ?? [])]
  return { v: '1', id: uuid(), room_id, sender_id: principal, state: 'discussion', type: 'discussion', seq, ...more, parts }
}

const reduceLines = (...lines: Line[]): Conversation =>
  lines.reduce<Conversation>((c, line, index) => reduceConversation(c, envelopeOf(index + 1, line)), startConversation(room_id, server))

const proposed: Line = { type: 'propose', data: { kind: 'charter', charter, charter_hash: hash } }
const signed: Line[] = [worker, plotter].map((sender_id) => ({
  sender_id,
  type: 'accept',
  data: { kind: 'charter.accept', charter_hash: hash },
}))
const recorded: Line = { sender_id: server, data: { kind: 'charter.recorded', version: 1, charter_hash: hash, plan_id: '0x1', tx: '0x2' } }
const assigned = (task_id: string, step: number, mode: 'sync' | 'async'): Line => ({
  type: `${mode}_task_assignment`,
  state: 'task_assignment',
  task_id,
  data: { kind: 'task', task_id, step, skill_id: 'x', inputs: [{ port: 'query', type: 'query.text', data: { text: 'hi' } }] },
})
const begun = [proposed, ...signed, recorded, assigned(one, 1, 'sync'), assigned(two, 2, 'async')]

describe('reduceConversation', () => {
  it('keeps the newest version of the lead’s plan in words, and takes none out of its order or from another', () => {
    const version = (number: number, text: string, more: Line = {}): Line => ({
      type: 'propose',
      text,
      data: { kind: 'plan.version', version: number, based_on: number - 1 },
      ...more,
    })
    const changed = reduceLines(version(1, 'Write.'), proposed, version(2, 'Write, read.'))
    expect(changed.planDocument).toEqual({ version: 2, text: 'Write, read.', author: principal, seq: 3 })
    expect(changed.charter?.version).toBe(1)
    for (const late of [version(2, 'Late.'), version(4, 'Early.'), version(2, 'Mine.', { sender_id: worker })])
      expect(reduceLines(version(1, 'Write.'), version(2, 'Write, read.'), proposed, late).planDocument?.text).toBe('Write, read.')
    expect(reduceLines(proposed).planDocument).toBeNull()
  })
  it('follows a goal from the plan to the conclusion', () => {
    const plan = reduceLines({ data: { kind: 'plan', steps: [] } }, proposed)
    expect(plan).toMatchObject({ plan: { steps: [] }, charter: { version: 1 }, charterHash: hash })
    expect(listUnsigned(plan)).toEqual([worker, plotter])
    const all = reduceLines(proposed, ...signed, recorded)
    expect(listUnsigned(all)).toEqual([])
    expect(isCharterRecorded(all)).toBe(true)
    const working = reduceLines(...begun)
    expect(working.state).toBe('task_assignment')
    expect(listOpenTasks(working).map((task) => [task.task_id, task.assignee, task.mode])).toEqual([
      [one, worker, 'sync'],
      [two, plotter, 'async'],
    ])
    expect(blockingTasks(working).map((task) => task.task_id)).toEqual([one])
    const artifact = { sha256: 'b'.repeat(64), name: 'a', media_type: 'text/plain', size: 1, artifact_type: 'x' }
    const done = reduceLines(
      ...begun,
      { sender_id: worker, state: 'execution', type: 'task_progress', task_id: one, text: 'Half.', data: { kind: 'progress', done: 50 } },
      { sender_id: worker, state: 'execution', type: 'task_result', task_id: one, parts: [{ artifact }] },
      { sender_id: plotter, state: 'execution', type: 'error', task_id: two, text: 'No paper.' },
      { state: 'conclusion', type: 'conclusion', data: { kind: 'conclusion', outcome: 'failed' } },
      { sender_id: server, state: 'conclusion', data: { kind: 'hold.voided', tx: '0x3' } },
    )
    expect(done.tasks.get(one)).toMatchObject({ status: 'completed', done: 100, artifacts: [artifact] })
    expect(done.tasks.get(two)).toMatchObject({ status: 'failed', text: 'No paper.' })
    expect(done).toMatchObject({ state: 'conclusion', concluded: { outcome: 'failed' }, closed: 'voided' })
    expect(listOpenTasks(done)).toEqual([])
  })

  it('waits for what a pause names', () => {
    const paused = reduceLines(...begun, { type: 'pause', triggers: [two] })
    expect(blockingTasks(paused).map((task) => task.task_id)).toEqual([one, two])
  })

  it('takes a step back when its lease ends, and a new charter instead of the old', () => {
    const next = { ...charter, version: 2 }
    const again = reduceLines(
      ...begun,
      { sender_id: server, data: { kind: 'task.expired', task_id: one } },
      { type: 'propose', data: { kind: 'charter', charter: next, charter_hash: '0xb' } },
    )
    expect(again.tasks.get(one)?.status).toBe('expired')
    expect(again).toMatchObject({ charter: { version: 2 }, charterHash: '0xb', accepted: [] })
    expect(isCharterRecorded(again)).toBe(false)
  })

  it('goes back to the charter in force where the next one is withdrawn, and counts its number as used', () => {
    const next = { ...charter, version: 2 }
    const proposal: Line = { type: 'propose', data: { kind: 'charter', charter: next, charter_hash: '0xb' } }
    const withdrawn = (in_force: object | null, charter_hash = '0xb'): Line => ({
      sender_id: server,
      data: { kind: 'charter.withdrawn', version: 2, charter_hash, reason: 'No.', in_force: in_force as never },
    })
    const inForce = { charter, charter_hash: hash }
    const back = reduceLines(...begun, proposal, withdrawn(inForce))
    expect(back).toMatchObject({ charter: { version: 1 }, charterHash: hash, withdrawn: { version: 2, reason: 'No.' } })
    expect([isCharterRecorded(back), nextCharterVersion(back)]).toEqual([true, 3])
    expect(nextCharterVersion(reduceLines(...begun))).toBe(2)
    // One that this room does not know changes no more than the number.
    const undelivered = reduceLines(...begun, withdrawn(inForce, '0xc'))
    expect([undelivered.charterHash, nextCharterVersion(undelivered)]).toEqual([hash, 3])
    // Before the first there is none; and no one but the server takes one back.
    expect(reduceLines(proposed, { ...withdrawn(null, hash) })).toMatchObject({ charter: null, charterHash: null })
    expect(reduceLines(...begun, proposal, { ...withdrawn(inForce), sender_id: worker }).charter?.version).toBe(2)
  })

  it('notes what the client returns, and stays concluded', () => {
    const returned = reduceLines(
      ...begun,
      { state: 'conclusion', type: 'conclusion', data: { kind: 'conclusion', outcome: 'delivered' } },
      { sender_id: server, data: { kind: 'task.returned', task_ids: [one], reason: 'No chart.' } },
    )
    expect(returned.concluded).toMatchObject({ outcome: 'delivered' })
    expect(returned.tasks.get(one)).toMatchObject({ status: 'returned', text: 'No chart.' })
  })

  it.each<[string, Line, Line[]]>([
    ['a charter by another party than its principal', { ...proposed, sender_id: worker }, []],
    ['a charter of another room', { ...proposed, data: { kind: 'charter', charter: { ...charter, room_id: id('rom') } } }, []],
    ['an older charter', proposed, begun],
    [
      'a signature under another hash',
      { sender_id: worker, type: 'accept', data: { kind: 'charter.accept', charter_hash: '0xc' } },
      [proposed],
    ],
    ["the server's words in another mouth", { ...recorded, sender_id: principal }, [proposed]],
    ['an assignment by a member', { ...assigned(one, 1, 'sync'), sender_id: worker }, [proposed]],
    ['an assignment of a step that is not there', assigned(one, 3, 'sync'), [proposed]],
    ['a result by another party than the assignee', { sender_id: plotter, type: 'task_result', task_id: one }, begun],
    ['a failure by another party than the assignee', { sender_id: plotter, type: 'error', task_id: one }, begun],
    ['a conclusion by a member', { sender_id: worker, type: 'conclusion' }, begun],
    ['a pause by a member', { sender_id: worker, type: 'pause', triggers: [two] }, begun],
  ])('is not moved by %s', (_what, line, before) => {
    const { seq: _a, lastSpeaker: _b, nextSpeakers: _c, state: _d, room: _r, ...stood } = reduceLines(...before)
    const { seq: _e, lastSpeaker: _f, nextSpeakers: _g, state: _h, room: after, ...stands } = reduceLines(...before, line)
    expect(stands).toEqual(stood)
    expect(after?.tasks).toEqual(reduceLines(...before).room?.tasks)
  })

  it('reads an unknown state as discussion and an unknown act as talk', () => {
    const odd = reduceLines(...begun, { state: 'meditation', type: 'hum' })
    expect(odd.state).toBe('discussion')
    expect(listOpenTasks(odd)).toHaveLength(2)
  })

  it('makes no jump that the table does not allow', () => {
    for (const from of conversationStates) {
      for (const to of conversationStates) {
        const at = { ...startConversation(room_id, server), state: from }
        const allowed: readonly string[] = conversationTransitions[from]
        expect(reduceConversation(at, envelopeOf(1, { state: to })).state, `${from} to ${to}`).toBe(allowed.includes(to) ? to : from)
      }
    }
  })

  it('changes nothing on a message it has seen, or of another room', () => {
    const c = reduceLines(...begun)
    expect(reduceConversation(c, envelopeOf(3, { state: 'conclusion', type: 'conclusion' }))).toBe(c)
    expect(reduceConversation(c, envelopeOf(99, { room_id: id('rom') }))).toBe(c)
  })

  it('asks whom a message asks', () => {
    expect(reduceLines({ next_speakers: [worker], to: [plotter] }).nextSpeakers).toEqual([worker])
    expect(reduceLines({ expects: 'reply', to: [plotter] }).nextSpeakers).toEqual([plotter])
    expect(reduceLines({ to: [plotter] }).nextSpeakers).toEqual([])
  })

  it('never throws, for any data', () => {
    const kinds = [
      'charter',
      'charter.accept',
      'charter.recorded',
      'charter.withdrawn',
      'task',
      'progress',
      'plan',
      'task.expired',
      'task.returned',
      'conclusion',
    ]
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            sender_id: fc.constantFrom(server, principal, worker, 'did:web:x'),
            type: fc.constantFrom(...speechActs, 'hum'),
            state: fc.constantFrom(...conversationStates, 'x'),
            task_id: fc.constantFrom(one, two, 'tsk_0'),
            data: fc
              .tuple(fc.constantFrom(...kinds), fc.dictionary(fc.string(), fc.jsonValue()))
              .map(([kind, rest]) => ({ ...rest, kind })),
          }),
        ),
        (lines) => {
          const c = reduceLines(...begun, ...(lines as Line[]))
          return c.seq === begun.length + lines.length
        },
      ),
    )
  })
})
