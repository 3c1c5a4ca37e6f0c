import {
  advanceRoom,
  type Room,
  type RoomMove,
  roomMoveTypes,
  roomStateLabels,
  roomStates,
  roomTable,
  speakerAt,
  startRoom,
  transitionsOfMove,
  turnLeaseMs,
} from '@parley/protocol'
import { describe, expect, it } from 'vitest'

const fresh = startRoom({ lead: 'a', client: 'x', members: ['b', 'c'], at: 0 })
const applyMoves = (room: Room, ...moves: RoomMove[]): Room =>
  moves.reduce((now, move) => {
    const step = advanceRoom(now, move)
    if (!step.ok) throw new Error(`${move.type}: ${step.why}`)
    return step.room
  }, room)
const why = (room: Room, move: RoomMove) => {
  const step = advanceRoom(room, move)
  return step.ok ? 'taken' : step.why
}
const give = (task: string, mode: 'sync' | 'async', to = 'b'): RoomMove => ({ type: 'assign', by: 'a', task, to, mode, at: 0 })
const end = (task: string, as: 'completed' | 'failed' = 'completed'): RoomMove => ({ type: 'end', task, as, at: 0 })
const talk = (by: string, next: string[] = [], at = 0): RoomMove => ({ type: 'post', by, next, at })

const rooms = {
  open: fresh,
  waiting: applyMoves(fresh, give('t1', 'sync')),
  paused: applyMoves(fresh, give('t1', 'async'), { type: 'pause', by: 'a', triggers: ['t1'], at: 0 }),
  halted: applyMoves(fresh, { type: 'halt', why: 'Enough.', at: 0 }),
  concluded: applyMoves(fresh, { type: 'conclude', by: 'a', at: 0 }),
  closed: applyMoves(fresh, { type: 'cancel', at: 0 }),
} as const
const sample: { readonly [type in RoomMove['type']]: RoomMove } = {
  join: { type: 'join', who: 'd', at: 0 },
  leave: { type: 'leave', who: 'c', at: 0 },
  post: talk('x'),
  expire_turn: { type: 'expire_turn', at: turnLeaseMs },
  assign: give('t9', 'async'),
  end: end('t1'),
  pause: { type: 'pause', by: 'a', triggers: ['t1'], at: 0 },
  conclude: { type: 'conclude', by: 'a', at: 0 },
  give_up: { type: 'give_up', by: 'a', at: 0 },
  follow_up: { type: 'follow_up', by: 'x', at: 0 },
  return: { type: 'return', by: 'x', tasks: ['t1'], at: 0 },
  accept: { type: 'accept', task: 't1', at: 0 },
  pay: { type: 'pay', task: 't1', at: 0 },
  halt: { type: 'halt', why: 'Enough.', at: 0 },
  resume: { type: 'resume', by: 'x', at: 0 },
  cancel: { type: 'cancel', at: 0 },
}

describe('the table', () => {
  it('has words for every state, and a state for every room below', () => {
    expect(Object.keys(roomStateLabels)).toEqual([...roomStates])
    for (const state of roomStates) expect(rooms[state].state).toBe(state)
  })
  it.each(roomMoveTypes.flatMap((type) => roomStates.map((state) => [type, state] as const)))('%s while %s', (type, state) => {
    const ways: { readonly [from: string]: readonly string[] } = roomTable[type].ways
    const step = advanceRoom(rooms[state], sample[type])
    if (!ways[state]) expect(step).toEqual({ ok: false, why: 'state' })
    else if (step.ok) expect(ways[state]).toContain(step.room.state)
    else expect(step.why).not.toBe('state')
  })
  it('leads out of every state that is not the end', () => {
    for (const from of roomStates.filter((state) => state !== 'closed'))
      expect(
        roomMoveTypes.some((type) => transitionsOfMove(type).some(([one, to]) => one === from && to !== from)),
        from,
      ).toBe(true)
  })
})

describe('a turn', () => {
  it('goes to the next speakers in their order, and back to the lead', () => {
    const asked = applyMoves(fresh, talk('a', ['b', 'c']))
    expect(asked.turn).toMatchObject({ holder: 'b', next: ['c'] })
    expect(applyMoves(asked, talk('b')).turn).toMatchObject({ holder: 'c', next: [] })
    expect(applyMoves(asked, talk('b'), talk('c')).turn?.holder).toBe('a')
    expect(applyMoves(asked, talk('b'), talk('c'), talk('a')).turn).toBeNull()
  })
  it('is not taken by who speaks in between', () => {
    const asked = applyMoves(fresh, talk('a', ['b']))
    expect(applyMoves(asked, talk('c', ['c'])).turn?.holder).toBe('b')
    expect(applyMoves(asked, talk('a', ['c'])).turn?.holder).toBe('c')
    expect(applyMoves(asked, talk('x', ['c'])).turn?.holder).toBe('c')
  })
  it('passes no one who is not there, and comes back to the lead instead', () => {
    expect(applyMoves(fresh, talk('a', ['b']), talk('b', ['stranger'])).turn?.holder).toBe('a')
  })
  it('passes on when its lease ends, to the lead at last, and then lies open', () => {
    const asked = applyMoves(fresh, talk('a', ['b', 'c']))
    expect([0, 1, 2, 3].map((n) => speakerAt(asked, n * turnLeaseMs))).toEqual(['b', 'c', 'a', null])
    expect(why(asked, { type: 'expire_turn', at: turnLeaseMs - 1 })).toBe('early')
    const late = applyMoves(asked, talk('b', ['b'], turnLeaseMs))
    expect(late.turn?.holder).toBe('c')
    expect(applyMoves(asked, talk('b', ['c'], 3 * turnLeaseMs)).turn?.holder).toBe('c')
  })
  it('passes on when its holder leaves', () => {
    const left = applyMoves(fresh, talk('a', ['b', 'c']), { type: 'leave', who: 'b', at: 0 })
    expect(left.turn?.holder).toBe('c')
    expect(why(left, talk('b'))).toBe('member')
  })
})

describe('tasks', () => {
  it('sync: the room waits for all of them, and then the lead speaks', () => {
    const both = applyMoves(fresh, give('t1', 'sync'), give('t2', 'sync', 'c'))
    expect(applyMoves(both, end('t1'))).toMatchObject({ state: 'waiting', turn: null })
    expect(applyMoves(both, end('t1'), end('t2', 'failed'))).toMatchObject({ state: 'open', turn: { holder: 'a' } })
  })
  it('async: the room continues', () => {
    expect(applyMoves(fresh, give('t1', 'async'))).toMatchObject({ state: 'open', turn: { holder: 'a' } })
    expect(applyMoves(fresh, give('t1', 'async'), { type: 'conclude', by: 'a', at: 0 }).state).toBe('concluded')
  })
  it('a pause ends with the last of its triggers, and who paused continues', () => {
    const paused = applyMoves(fresh, give('t1', 'async'), give('t2', 'async', 'c'), talk('a', ['b']), {
      type: 'pause',
      by: 'b',
      triggers: ['t1', 't2'],
      at: 0,
    })
    expect(paused).toMatchObject({ state: 'paused', turn: null })
    expect(why(paused, { type: 'conclude', by: 'a', at: 0 })).toBe('state')
    expect(applyMoves(paused, end('t2')).state).toBe('paused')
    expect(applyMoves(paused, end('t2'), end('t1', 'failed'))).toMatchObject({ state: 'open', triggers: [], turn: { holder: 'b' } })
  })
  it('a pause for what has ended is none, and a second pause adds to the first', () => {
    expect(applyMoves(fresh, give('t1', 'async'), end('t1'), { type: 'pause', by: 'a', triggers: ['t1'], at: 0 }).state).toBe('open')
    const twice = applyMoves(rooms.paused, give('t2', 'async'), { type: 'pause', by: 'a', triggers: ['t2'], at: 0 })
    expect(applyMoves(twice, end('t1')).state).toBe('paused')
    expect(applyMoves(twice, end('t1'), end('t2')).state).toBe('open')
  })
  it('go to members only, never to advisers, never twice', () => {
    const advised = applyMoves(fresh, { type: 'join', who: 'd', adviser: true, at: 0 })
    expect(why(advised, give('t1', 'sync', 'd'))).toBe('member')
    expect(applyMoves(advised, talk('a', ['d'])).turn?.holder).toBe('d')
    expect(why(fresh, give('t1', 'sync', 'stranger'))).toBe('member')
    expect(why(rooms.waiting, give('t1', 'sync'))).toBe('task')
    expect(why(fresh, { ...give('t1', 'sync'), by: 'b' } as RoomMove)).toBe('role')
  })
  it('fail with the agent that is gone', () => {
    expect(applyMoves(rooms.waiting, { type: 'leave', who: 'b', at: 0 })).toMatchObject({
      state: 'open',
      tasks: { t1: { status: 'failed' } },
    })
  })
  it('are paid when they are completed and accepted, once', () => {
    const done = applyMoves(rooms.waiting, end('t1'), { type: 'conclude', by: 'a', at: 0 })
    expect(why(done, sample.pay)).toBe('task')
    const paid = applyMoves(done, sample.accept, sample.pay)
    expect(why(paid, sample.pay)).toBe('task')
    expect(why(applyMoves(rooms.waiting, { type: 'cancel', at: 0 }), sample.pay)).toBe('task')
    expect(applyMoves(rooms.waiting, end('t1'), { type: 'cancel', at: 0 }, sample.pay).tasks.t1?.paid).toBe(true)
  })
})

describe('a conclusion', () => {
  it('continues with the client’s follow-up, or with returned work', () => {
    expect(applyMoves(rooms.concluded, sample.follow_up)).toMatchObject({ state: 'open', turn: { holder: 'a' } })
    const done = applyMoves(rooms.waiting, end('t1'), { type: 'conclude', by: 'a', at: 0 })
    expect(applyMoves(done, sample.return)).toMatchObject({ state: 'open', tasks: { t1: { status: 'returned' } } })
    expect(why(applyMoves(done, sample.accept), sample.return)).toBe('task')
    expect(why(rooms.concluded, { type: 'follow_up', by: 'b', at: 0 })).toBe('role')
  })
})

describe('a brake', () => {
  const limited = startRoom({ lead: 'a', client: 'x', members: ['b'], limits: { messages: 3 }, at: 0 })
  it('halts with a sentence at the last message that is allowed, and only the client releases it', () => {
    const halted = applyMoves(limited, talk('a'), talk('b'), talk('x'), talk('a'))
    expect(halted).toMatchObject({ state: 'halted', turn: null, halt: 'The agents have used all 3 messages of this room.' })
    expect(why(halted, talk('a'))).toBe('state')
    expect(why(halted, { type: 'resume', by: 'a', at: 0 })).toBe('role')
    expect(applyMoves(halted, talk('x')).state).toBe('halted')
    expect(applyMoves(halted, { type: 'resume', by: 'x', at: 0 })).toMatchObject({ state: 'open', halt: null, spent: { messages: 0 } })
    expect(applyMoves(halted, { type: 'conclude', by: 'a', at: 0 }).state).toBe('concluded')
  })
  it('lets tasks end meanwhile, and knows afterwards what the room waits for', () => {
    const halted = applyMoves(rooms.waiting, { type: 'halt', why: 'Enough.', at: 0 })
    expect(why(halted, { type: 'conclude', by: 'a', at: 0 })).toBe('task')
    expect(applyMoves(halted, { type: 'resume', by: 'x', at: 0 }).state).toBe('waiting')
    expect(applyMoves(halted, end('t1'), { type: 'resume', by: 'x', at: 0 }).state).toBe('open')
  })
})
