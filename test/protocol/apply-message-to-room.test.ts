import { applyMessageToRoom, type DeliveredEnvelope, type Room, setMembers, speechActs, startRoom } from '@parley/protocol'
import { describe, expect, it } from 'vitest'

const [lead, worker, client, server] = ['did:key:lead', 'did:key:worker', 'did:pkh:client', 'did:key:server']
const fresh = startRoom({ lead, client, members: [worker], at: 0 })
type Line = Partial<DeliveredEnvelope> & { by?: string; data?: object }
const line = ({ by = lead, data, ...more }: Line) =>
  ({
    sender_id: by,
    type: 'discussion',
    received_at: new Date(1_000).toISOString(),
    parts: data ? [{ data }] : [{ text: 'Well.' }],
    ...more,
  }) as DeliveredEnvelope
const applyAll = (room: Room, ...lines: Line[]): Room => lines.reduce((now, one) => applyMessageToRoom(now, line(one), server), room)

const assign = (mode: 'sync' | 'async'): Line => ({ type: `${mode}_task_assignment`, task_id: 'tsk_1', to: [worker] as never })
const result: Line = { by: worker, type: 'task_result', task_id: 'tsk_1' }
const conclusion: Line = { type: 'conclusion', data: { kind: 'conclusion', outcome: 'delivered' } }

describe('applyMessageToRoom', () => {
  it('hands the turn to the next speakers, or to whom a reply is expected from', () => {
    expect(applyAll(fresh, { next_speakers: [worker] as never }).turn?.holder).toBe(worker)
    expect(applyAll(fresh, { expects: 'reply', to: [worker] as never }).turn?.holder).toBe(worker)
    expect(applyAll(fresh, { next_speakers: [worker] as never }, { by: worker, type: 'conclude' }).turn?.holder).toBe(lead)
  })
  it('waits for a sync task and continues with its result, or when the server reports that it has expired', () => {
    const waiting = applyAll(fresh, assign('sync'))
    expect(waiting.state).toBe('waiting')
    expect(applyAll(waiting, result)).toMatchObject({ state: 'open', turn: { holder: lead } })
    expect(applyAll(waiting, { by: worker, type: 'error', task_id: 'tsk_1' }).tasks.tsk_1?.status).toBe('failed')
    expect(applyAll(waiting, { by: server, data: { kind: 'task.expired', task_id: 'tsk_1' } }).tasks.tsk_1?.status).toBe('failed')
  })
  it('pauses for triggers', () => {
    const paused = applyAll(fresh, assign('async'), { type: 'pause', triggers: ['tsk_1'] as never })
    expect(paused.state).toBe('paused')
    expect(applyAll(paused, result).state).toBe('open')
  })
  it('concludes, gives up, and continues with the client’s follow-up', () => {
    expect(applyAll(fresh, assign('sync'), conclusion).state).toBe('waiting')
    expect(applyAll(fresh, assign('sync'), { type: 'conclusion', data: { kind: 'conclusion', outcome: 'failed' } })).toMatchObject({
      state: 'concluded',
      tasks: { tsk_1: { status: 'canceled' } },
    })
    expect(applyAll(fresh, conclusion, { by: worker }).state).toBe('concluded')
    expect(applyAll(fresh, conclusion, { by: client })).toMatchObject({ state: 'open', turn: { holder: lead } })
  })
  it('believes the server about returns, halts, money and the end, and no one else', () => {
    const done = applyAll(fresh, assign('sync'), result, conclusion)
    const cases: [object, object][] = [
      [
        { kind: 'task.returned', task_ids: ['tsk_1'] },
        { state: 'open', tasks: { tsk_1: { status: 'returned' } } },
      ],
      [{ kind: 'hold.captured' }, { tasks: { tsk_1: { paid: true } } }],
      [{ kind: 'goal.stopped' }, { state: 'closed' }],
    ]
    for (const [data, then] of cases) {
      expect(applyAll(done, { by: server, data })).toMatchObject(then)
      expect(applyAll(done, { by: worker, data })).not.toMatchObject(then)
    }
    const halted = applyAll(fresh, { by: server, data: { kind: 'room.halted', reason: 'Enough.' } })
    expect(halted).toMatchObject({ state: 'halted', halt: 'Enough.' })
    expect(applyAll(halted, { by: server, data: { kind: 'room.resumed' } }).state).toBe('open')
  })
  it('is over when its client reports that the goal is stopped, also after the conclusion, and for no one else', () => {
    const stopped = { type: 'cancel', data: { kind: 'goal.stopped' } } as const
    for (const room of [applyAll(fresh, assign('sync')), applyAll(fresh, assign('sync'), result, conclusion)]) {
      expect(applyAll(room, { ...stopped, by: client }).state).toBe('closed')
      for (const by of [lead, worker]) expect(applyAll(room, { ...stopped, by }).state).toBe(room.state)
    }
    expect(applyAll(fresh, { type: 'cancel', by: client }).state).toBe('open')
  })
  it('is not moved by what has no right', () => {
    const working = applyAll(fresh, assign('async'))
    expect(applyAll(working, { ...result, by: lead }).tasks).toEqual(working.tasks)
    expect(applyAll(working, { by: worker, type: 'pause', triggers: ['tsk_1'] as never }).state).toBe('open')
    for (const type of speechActs) expect(applyAll(working, { by: 'did:key:stranger', type, task_id: 'tsk_1' })).toEqual(working)
  })
})

describe('setMembers', () => {
  it('lets in who is new and takes leave of who is not there any more, but never of the lead', () => {
    const seated = setMembers(applyAll(fresh, assign('async')), { members: ['did:key:new'] }, 0)
    expect(seated).toMatchObject({ members: [lead, 'did:key:new'], tasks: { tsk_1: { status: 'failed' } } })
  })
  it('keeps advisers apart, until they get something to do', () => {
    const wise = 'did:key:wise'
    const advised = setMembers(fresh, { members: [worker], advisers: [wise] }, 0)
    expect(advised).toMatchObject({ members: [lead, worker, wise], advisers: [wise] })
    expect(setMembers(advised, { members: [worker, wise] }, 0).advisers).toEqual([])
    expect(setMembers(advised, { members: [worker] }, 0).members).toEqual([lead, worker])
  })
})
