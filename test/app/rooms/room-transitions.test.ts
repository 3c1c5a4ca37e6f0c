import { advanceRoom, roomMoveTypes, roomStates, roomTable, startRoom, transitionsOfMove } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { movesFrom, roomArrows } from '../../../app/rooms/room-transitions.ts'

describe('movesFrom', () => {
  it('shows every transition of the table, and no other', () => {
    const reported = roomStates.flatMap((from) => movesFrom(from).flatMap(({ type, to }) => to.map((next) => `${type}: ${from} ${next}`)))
    const table = roomMoveTypes.flatMap((type) => transitionsOfMove(type).map(([from, to]) => `${type}: ${from} ${to}`))
    expect(reported.sort()).toEqual(table.sort())
    expect(movesFrom('open').find(({ type }) => type === 'give_up')).toEqual({
      type: 'give_up',
      name: 'give up',
      by: 'lead',
      does: roomTable.give_up.does,
      to: ['concluded'],
    })
  })
  it('shows no transition of an open room that the state machine refuses for its state', () => {
    const room = startRoom({ lead: 'a', client: 'x', members: ['b'], at: 0 })
    expect(movesFrom('open').some(({ type }) => type === 'resume')).toBe(false)
    expect(advanceRoom(room, { type: 'resume', by: 'x', at: 0 })).toEqual({ ok: false, why: 'state' })
  })
})

describe('roomArrows', () => {
  it('draws one arrow between two states, with all moves on it, and none from a state to itself', () => {
    const arrows = roomArrows()
    expect(new Set(arrows.map(({ from, to }) => `${from} ${to}`)).size).toBe(arrows.length)
    expect(arrows.every(({ from, to }) => from !== to)).toBe(true)
    const drawn = arrows.flatMap(({ from, to, names }) => names.map((name) => `${name.replaceAll(' ', '_')}: ${from} ${to}`))
    const table = roomMoveTypes.flatMap((type) =>
      transitionsOfMove(type).flatMap(([from, to]) => (from === to ? [] : [`${type}: ${from} ${to}`])),
    )
    expect(drawn.sort()).toEqual(table.sort())
  })
})
