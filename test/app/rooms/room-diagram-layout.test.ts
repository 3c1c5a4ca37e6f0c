import { roomStates } from '@parley/protocol'
import { expect, it } from 'vitest'
import { layOutRoomDiagram, stateSize } from '../../../app/rooms/room-diagram-layout.ts'

it('draws every state and arrow within the width of a page, and no words over a state', () => {
  const { width, states, arrows } = layOutRoomDiagram()
  expect(states.map(({ state }) => state)).toEqual([...roomStates])
  expect(width).toBeLessThan(1_100)
  for (const { label, labelSize, from, to } of arrows) {
    for (const { x, y, state } of states) {
      const isApart =
        Math.abs(label.x - x) >= (labelSize.width + stateSize.width) / 2 ||
        Math.abs(label.y - y) >= (labelSize.height + stateSize.height) / 2
      expect(isApart, `${from} to ${to} beside ${state}`).toBe(true)
    }
  }
})
