import { advanceTree, type RoomTree } from '@parley/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { explore, firstRoom, movesOf, type Profile, startTree } from './rooms/explore.ts'
import { faulty } from './rooms/faults.ts'
import { faultOf, properties } from './rooms/properties.ts'

const small: Profile = { agents: 3, tasks: 2, depth: 2, turns: false, crashes: 0, brakes: false, money: false }

describe('every schedule of', () => {
  it.each<[string, Profile]>([
    ['four agents and six tasks in one room, with its money', { ...small, agents: 4, tasks: 6, depth: 0, money: true }],
    [
      'three agents and three tasks, with turns, brakes and a crash',
      { ...small, tasks: 3, depth: 0, turns: true, brakes: true, crashes: 1, money: true },
    ],
    ['three agents and two tasks, rooms in rooms, with everything', { ...small, depth: 1, turns: true, crashes: 1, money: true }],
    ['three agents and three tasks, rooms in rooms, with money', { ...small, tasks: 3, money: true }],
  ])('%s', (_name, profile) => {
    const report = explore(profile)
    expect(report.faults).toEqual([])
    expect(report.cut).toBe(false)
    expect(report.states).toBeGreaterThan(500)
    expect(report.ends).toBeGreaterThan(0)
  })
})

describe('a planted fault is found:', () => {
  it.each(properties)('%s', (property) => {
    const report = explore({ ...small, turns: property === 'one turn, never lost', money: true }, { advance: faulty[property] })
    expect(report.faults[0]?.property).toBe(property)
    expect(report.faults[0]?.path.length).toBeGreaterThan(0)
  })
})

describe('random schedules', () => {
  const large: Profile = { agents: 6, tasks: 16, depth: 3, turns: true, crashes: 3, brakes: true, money: true }

  it('with crashes keep every property, and can always be brought to an end', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(9_999), { minLength: 20, maxLength: 120 }), (choices) => {
        let tree: RoomTree = startTree(large)
        for (const choice of choices) {
          const moves = movesOf(tree, large).filter((move) => move.type !== 'in' || move.move.type !== 'cancel' || choice % 50 === 0)
          const move = moves[choice % moves.length]
          if (!move) break
          const made = advanceTree(tree, move, large.depth)
          if (!made.ok) continue
          expect(faultOf(tree, move, made.tree), JSON.stringify(move)).toBeNull()
          tree = made.tree
        }
        expect(finish(tree)).toBe(true)
      }),
      { numRuns: 150, seed: 5 },
    )
  })

  /** Lets every task fail and every lead conclude, the deepest rooms first. */
  function finish(tree: RoomTree): boolean {
    let now = tree
    for (const roomId of Object.keys(tree).sort((one, other) => other.length - one.length)) {
      for (const move of movesOf(now, large)) {
        if (move.type !== 'in' || move.roomId !== roomId || move.move.type !== 'end' || move.move.as !== 'failed') continue
        const made = advanceTree(now, move, large.depth)
        if (made.ok) now = made.tree
      }
      const lead = now[roomId]?.room.lead ?? ''
      const made = advanceTree(now, { type: 'in', roomId, move: { type: 'conclude', by: lead, at: 0 } }, large.depth)
      if (made.ok) now = made.tree
    }
    const first = now[firstRoom]?.room.state
    const open = Object.values(now).some(({ room }) => Object.values(room.tasks).some((task) => task.status === 'open'))
    return (first === 'concluded' || first === 'closed') && !open
  }
})

describe('a room in a room', () => {
  const at = 0
  const hire = (tree: RoomTree, ...moves: Parameters<typeof advanceTree>[1][]) =>
    moves.reduce((now, move) => {
      const made = advanceTree(now, move, 2)
      if (!made.ok) throw new Error(`${JSON.stringify(move)}: ${made.why}`)
      return made.tree
    }, tree)
  const refused = (tree: RoomTree, move: Parameters<typeof advanceTree>[1]) => {
    const made = advanceTree(tree, move, 2)
    return made.ok ? 'taken' : made.why
  }
  const nested = hire(
    startTree({ agents: 3 }),
    { type: 'in', roomId: 'r', move: { type: 'assign', by: 'a', task: 't0', to: 'b', mode: 'sync', at } },
    { type: 'nest', roomId: 'r', task: 't0', into: 'r.t0', by: 'b', at },
    { type: 'in', roomId: 'r.t0', move: { type: 'join', who: 'c', at } },
    { type: 'in', roomId: 'r.t0', move: { type: 'assign', by: 'b', task: 't1', to: 'c', mode: 'sync', at } },
  )

  it('is led by who has the task, and by no one above it', () => {
    expect(nested['r.t0']?.room.lead).toBe('b')
    expect(refused(nested, { type: 'nest', roomId: 'r', task: 't0', into: 'other', by: 'b', at })).toBe('nested')
    expect(refused(nested, { type: 'nest', roomId: 'r.t0', task: 't1', into: 'r.t0.t1', by: 'b', at })).toBe('role')
    expect(refused(nested, { type: 'in', roomId: 'r.t0', move: { type: 'join', who: 'a', at } })).toBe('cycle')
  })
  it('has to be over before its task is completed', () => {
    expect(refused(nested, { type: 'in', roomId: 'r', move: { type: 'end', task: 't0', as: 'completed', at } })).toBe('nested')
    const done = hire(
      nested,
      { type: 'in', roomId: 'r.t0', move: { type: 'end', task: 't1', as: 'completed', at } },
      { type: 'in', roomId: 'r.t0', move: { type: 'conclude', by: 'b', at } },
      { type: 'in', roomId: 'r', move: { type: 'end', task: 't0', as: 'completed', at } },
      { type: 'in', roomId: 'r', move: { type: 'conclude', by: 'a', at } },
    )
    expect(refused(done, { type: 'in', roomId: 'r.t0', move: { type: 'pay', task: 't1', at } })).toBe('nested')
    const paid = hire(
      done,
      { type: 'in', roomId: 'r', move: { type: 'accept', task: 't0', at } },
      { type: 'in', roomId: 'r', move: { type: 'pay', task: 't0', at } },
    )
    expect(paid['r.t0']?.room.tasks.t1).toMatchObject({ accepted: true, paid: true })
  })
  it('ends with what it is for', () => {
    const stopped = hire(nested, { type: 'in', roomId: 'r', move: { type: 'cancel', at } })
    expect(stopped['r.t0']?.room).toMatchObject({ state: 'closed', tasks: { t1: { status: 'canceled' } } })
  })
  it('goes no deeper than the limit', () => {
    const deeper = advanceTree(nested, { type: 'nest', roomId: 'r.t0', task: 't1', into: 'r.t0.t1', by: 'c', at }, 1)
    expect(deeper).toEqual({ ok: false, why: 'depth' })
    expect(advanceTree(nested, { type: 'nest', roomId: 'r.t0', task: 't1', into: 'r.t0.t1', by: 'c', at }, 2).ok).toBe(true)
  })
})
