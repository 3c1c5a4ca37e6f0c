/** The protocol's room table for pages: the moves, their actors, and the states that follow. Pure. */
import { type RoomMoveType, type RoomState, roomMoveTypes, roomTable, transitionsOfMove } from '@parley/protocol'

export type RoomMoveView = {
  readonly type: RoomMoveType
  readonly name: string
  readonly by: string
  readonly does: string
  /** The states that can follow from the requested state, in the table's order. */
  readonly to: readonly RoomState[]
}
export type RoomArrow = { readonly from: RoomState; readonly to: RoomState; readonly names: readonly string[] }

const nameOf = (type: RoomMoveType): string => type.replaceAll('_', ' ')

/** The moves that are possible in a room of this state. */
export function movesFrom(state: RoomState): RoomMoveView[] {
  return roomMoveTypes.flatMap((type) => {
    const to = transitionsOfMove(type).flatMap(([from, next]) => (from === state ? [next] : []))
    const { by, does } = roomTable[type]
    return to.length === 0 ? [] : [{ type, name: nameOf(type), by, does, to }]
  })
}

/** One arrow for each pair of states that can follow each other, with its moves. Moves without a change of state have none. */
export function roomArrows(): RoomArrow[] {
  const arrows = new Map<string, { from: RoomState; to: RoomState; names: string[] }>()
  for (const type of roomMoveTypes)
    for (const [from, to] of transitionsOfMove(type)) {
      if (from === to) continue
      const key = `${from} ${to}`
      const arrow = arrows.get(key) ?? { from, to, names: [] }
      arrow.names.push(nameOf(type))
      arrows.set(key, arrow)
    }
  return [...arrows.values()]
}
