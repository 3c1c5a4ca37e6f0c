import { describe, expect, it } from 'vitest'
import { roomTree, withSubSteps } from '../../../../../../app/goals/[id]/_run/rooms/room-tree.ts'
import { step as stepOf } from '../samples.ts'

const root = 'rom_root'
const room = (roomId: string, parentRoomId: string, step: number) => ({
  roomId,
  parentRoomId,
  step,
  agentId: `agt_${step}`,
  outcome: null,
})
const part = (step: number, parent: number, roomId: string, more: object = {}) => stepOf({ step, parent, roomId, amount: 10n, ...more })
const steps = [
  stepOf({ step: 1, state: 'done', amount: 40n }),
  stepOf({ step: 2, dependsOn: [1], amount: 30n }),
  part(3, 2, 'rom_a', { state: 'done' }),
  part(4, 2, 'rom_a', { dependsOn: [3] }),
  part(5, 4, 'rom_b'),
  part(6, 2, 'rom_a', { canceled: true }),
]

describe('roomTree', () => {
  it('hangs each room under that of the step which pays it, with what it costs and how far it is', () => {
    const tree = roomTree({ roomId: root, leadAgentId: 'agt_p', steps, rooms: [room('rom_a', root, 2), room('rom_b', 'rom_a', 4)] })
    expect(tree).toMatchObject({ leadAgentId: 'agt_p', step: null, sum: 70n, done: 1 })
    expect(tree.below).toMatchObject([{ roomId: 'rom_a', leadAgentId: 'agt_2', step: { step: 2 }, sum: 20n, done: 1 }])
    expect(tree.below[0]?.below).toMatchObject([{ roomId: 'rom_b', step: { step: 4 }, sum: 10n, done: 0, below: [] }])
  })
})

describe('withSubSteps', () => {
  it('draws parts before the step that they are part of, after what it needs, and leaves out what was dropped', () => {
    expect(withSubSteps(steps).map((step) => [step.step, step.dependsOn])).toEqual([
      [1, []],
      [2, [1, 3, 4]],
      [3, [1]],
      [4, [3, 5]],
      [5, [3]],
    ])
  })
})
