import { type DeliveredEnvelope, hear, type Room, seat, speechActs, startRoom } from '@parley/protocol'
import { describe, expect, it } from 'vitest'

const [lead, worker, client, server] = ['did:key:lead', 'did:key:worker', 'did:pkh:client', 'did:key:server']
const fresh = startRoom({ lead, client, members: [worker], at: 0 })
type Line = Partial<DeliveredEnvelope> & { by?: string; data?: object }
const line = ({ by = lead, data, ...more }: Line) =>
  ({ sender_id: by, type: 'discussion', received_at: new Date(1_000).toISOString(), parts: data ? [{ data }] : [{ text: 'Well.' }], ...more }) as DeliveredEnvelope
const after = (room: Room, ...lines: Line[]): Room => lines.reduce((now, one) => hear(now, line(one), server), room)

const assign = (mode: 'sync' | 'async'): Line => ({ type: `${mode}_task_assignment`, task_id: 'tsk_1', to: [worker] as never })
const result: Line = { by: worker, type: 'task_result', task_id: 'tsk_1' }
const conclusion: Line = { type: 'conclusion', data: { kind: 'conclusion', outcome: 'delivered' } }

describe('hear', () => {
  it('hands the turn to the next speakers, or to whom a reply is expected from', () => {
    expect(after(fresh, { next_speakers: [worker] as never }).turn?.holder).toBe(worker)
    expect(after(fresh, { expects: 'reply', to: [worker] as never }).turn?.holder).toBe(worker)
    expect(after(fresh, { next_speakers: [worker] as never }, { by: worker, type: 'conclude' }).turn?.holder).toBe(lead)
  })
  it('waits for a sync task and goes on with its result, or when the server says that it has expired', () => {
    const waiting = after(fresh, assign('sync'))
    expect(waiting.state).toBe('waiting')
    expect(after(waiting, result)).toMatchObject({ state: 'open', turn: { holder: lead } })
    expect(after(waiting, { by: worker, type: 'error', task_id: 'tsk_1' }).tasks.tsk_1?.status).toBe('failed')
    expect(after(waiting, { by: server, data: { kind: 'task.expired', task_id: 'tsk_1' } }).tasks.tsk_1?.status).toBe('failed')
  })
  it('pauses for triggers', () => {
    const paused = after(fresh, assign('async'), { type: 'pause', triggers: ['tsk_1'] as never })
    expect(paused.state).toBe('paused')
    expect(after(paused, result).state).toBe('open')
  })
  it('concludes, gives up, and goes on with the client’s follow-up', () => {
    expect(after(fresh, assign('sync'), conclusion).state).toBe('waiting')
    expect(after(fresh, assign('sync'), { type: 'conclusion', data: { kind: 'conclusion', outcome: 'failed' } })).toMatchObject({
      state: 'concluded',
      tasks: { tsk_1: { status: 'canceled' } },
    })
    expect(after(fresh, conclusion, { by: worker }).state).toBe('concluded')
    expect(after(fresh, conclusion, { by: client })).toMatchObject({ state: 'open', turn: { holder: lead } })
  })
  it('believes the server about returns, halts, money and the end, and nobody else', () => {
    const done = after(fresh, assign('sync'), result, conclusion)
    const says: [object, object][] = [
      [{ kind: 'task.returned', task_ids: ['tsk_1'] }, { state: 'open', tasks: { tsk_1: { status: 'returned' } } }],
      [{ kind: 'hold.captured' }, { tasks: { tsk_1: { paid: true } } }],
      [{ kind: 'goal.stopped' }, { state: 'closed' }],
      [{ kind: 'adviser.joined', members: ['did:key:wise'] }, { advisers: ['did:key:wise'] }],
    ]
    for (const [data, then] of says) {
      expect(after(done, { by: server, data })).toMatchObject(then)
      expect(after(done, { by: worker, data })).not.toMatchObject(then)
    }
    const halted = after(fresh, { by: server, data: { kind: 'talk.halted', reason: 'Enough.' } })
    expect(halted).toMatchObject({ state: 'halted', halt: 'Enough.' })
    expect(after(halted, { by: server, data: { kind: 'talk.released' } }).state).toBe('open')
  })
  it('is not moved by what has no right', () => {
    const working = after(fresh, assign('async'))
    expect(after(working, { ...result, by: lead }).tasks).toEqual(working.tasks)
    expect(after(working, { by: worker, type: 'pause', triggers: ['tsk_1'] as never }).state).toBe('open')
    for (const type of speechActs) expect(after(working, { by: 'did:key:stranger', type, task_id: 'tsk_1' })).toEqual(working)
  })
})

describe('seat', () => {
  it('lets in who is new and takes leave of who is not there any more, but never of the lead', () => {
    const seated = seat(after(fresh, assign('async')), ['did:key:new'], 0)
    expect(seated).toMatchObject({ members: [lead, 'did:key:new'], tasks: { tsk_1: { status: 'failed' } } })
  })
})
