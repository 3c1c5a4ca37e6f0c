import { type DeliveredEnvelope, hear, type Room, seat, speechActs, startRoom } from '@parley/protocol'
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
const hearing = (room: Room, ...lines: Line[]): Room => lines.reduce((now, one) => hear(now, line(one), server), room)

const assign = (mode: 'sync' | 'async'): Line => ({ type: `${mode}_task_assignment`, task_id: 'tsk_1', to: [worker] as never })
const result: Line = { by: worker, type: 'task_result', task_id: 'tsk_1' }
const conclusion: Line = { type: 'conclusion', data: { kind: 'conclusion', outcome: 'delivered' } }

describe('hear', () => {
  it('hands the turn to the next speakers, or to whom a reply is expected from', () => {
    expect(hearing(fresh, { next_speakers: [worker] as never }).turn?.holder).toBe(worker)
    expect(hearing(fresh, { expects: 'reply', to: [worker] as never }).turn?.holder).toBe(worker)
    expect(hearing(fresh, { next_speakers: [worker] as never }, { by: worker, type: 'conclude' }).turn?.holder).toBe(lead)
  })
  it('waits for a sync task and goes on with its result, or when the server says that it has expired', () => {
    const waiting = hearing(fresh, assign('sync'))
    expect(waiting.state).toBe('waiting')
    expect(hearing(waiting, result)).toMatchObject({ state: 'open', turn: { holder: lead } })
    expect(hearing(waiting, { by: worker, type: 'error', task_id: 'tsk_1' }).tasks.tsk_1?.status).toBe('failed')
    expect(hearing(waiting, { by: server, data: { kind: 'task.expired', task_id: 'tsk_1' } }).tasks.tsk_1?.status).toBe('failed')
  })
  it('pauses for triggers', () => {
    const paused = hearing(fresh, assign('async'), { type: 'pause', triggers: ['tsk_1'] as never })
    expect(paused.state).toBe('paused')
    expect(hearing(paused, result).state).toBe('open')
  })
  it('concludes, gives up, and goes on with the client’s follow-up', () => {
    expect(hearing(fresh, assign('sync'), conclusion).state).toBe('waiting')
    expect(hearing(fresh, assign('sync'), { type: 'conclusion', data: { kind: 'conclusion', outcome: 'failed' } })).toMatchObject({
      state: 'concluded',
      tasks: { tsk_1: { status: 'canceled' } },
    })
    expect(hearing(fresh, conclusion, { by: worker }).state).toBe('concluded')
    expect(hearing(fresh, conclusion, { by: client })).toMatchObject({ state: 'open', turn: { holder: lead } })
  })
  it('believes the server about returns, halts, money and the end, and nobody else', () => {
    const done = hearing(fresh, assign('sync'), result, conclusion)
    const says: [object, object][] = [
      [
        { kind: 'task.returned', task_ids: ['tsk_1'] },
        { state: 'open', tasks: { tsk_1: { status: 'returned' } } },
      ],
      [{ kind: 'hold.captured' }, { tasks: { tsk_1: { paid: true } } }],
      [{ kind: 'goal.stopped' }, { state: 'closed' }],
    ]
    for (const [data, then] of says) {
      expect(hearing(done, { by: server, data })).toMatchObject(then)
      expect(hearing(done, { by: worker, data })).not.toMatchObject(then)
    }
    const halted = hearing(fresh, { by: server, data: { kind: 'room.halted', reason: 'Enough.' } })
    expect(halted).toMatchObject({ state: 'halted', halt: 'Enough.' })
    expect(hearing(halted, { by: server, data: { kind: 'room.resumed' } }).state).toBe('open')
  })
  it('is over when its client says that the goal is stopped, also after the conclusion, and by nobody else’s word', () => {
    const stopped = { type: 'cancel', data: { kind: 'goal.stopped' } } as const
    for (const room of [hearing(fresh, assign('sync')), hearing(fresh, assign('sync'), result, conclusion)]) {
      expect(hearing(room, { ...stopped, by: client }).state).toBe('closed')
      for (const by of [lead, worker]) expect(hearing(room, { ...stopped, by }).state).toBe(room.state)
    }
    expect(hearing(fresh, { type: 'cancel', by: client }).state).toBe('open')
  })
  it('is not moved by what has no right', () => {
    const working = hearing(fresh, assign('async'))
    expect(hearing(working, { ...result, by: lead }).tasks).toEqual(working.tasks)
    expect(hearing(working, { by: worker, type: 'pause', triggers: ['tsk_1'] as never }).state).toBe('open')
    for (const type of speechActs) expect(hearing(working, { by: 'did:key:stranger', type, task_id: 'tsk_1' })).toEqual(working)
  })
})

describe('seat', () => {
  it('lets in who is new and takes leave of who is not there any more, but never of the lead', () => {
    const seated = seat(hearing(fresh, assign('async')), { members: ['did:key:new'] }, 0)
    expect(seated).toMatchObject({ members: [lead, 'did:key:new'], tasks: { tsk_1: { status: 'failed' } } })
  })
  it('keeps advisers apart, until they get something to do', () => {
    const wise = 'did:key:wise'
    const advised = seat(fresh, { members: [worker], advisers: [wise] }, 0)
    expect(advised).toMatchObject({ members: [lead, worker, wise], advisers: [wise] })
    expect(seat(advised, { members: [worker, wise] }, 0).advisers).toEqual([])
    expect(seat(advised, { members: [worker] }, 0).members).toEqual([lead, worker])
  })
})
