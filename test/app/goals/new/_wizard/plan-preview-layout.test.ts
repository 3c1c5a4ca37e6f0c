import { describe, expect, it } from 'vitest'
import { card, durationLabel, placeSteps, wrapName } from '../../../../../app/goals/new/_wizard/plan-preview-layout.ts'
import type { PreviewStep } from '../../../../../server/trpc/views/preview-plan.ts'
import { translate } from '../../../translate.ts'

const step = (number: number, after: number[], isCritical = true): PreviewStep => ({
  step: number,
  skillId: `skill.${number}`,
  name: `Step ${number}`,
  agentId: 'agt_1',
  agentName: 'Agent',
  price: 1_000_000n,
  after,
  isBeside: false,
  seconds: null,
  isCritical,
})

describe('placeSteps', () => {
  it('puts each step right of all that it waits for, and none upon another', () => {
    const { nodes, width, height } = placeSteps([step(1, []), step(2, [1]), step(3, [1], false), step(4, [1, 2, 3])])
    const at = new Map(nodes.map((node) => [node.step.step, node]))
    for (const node of nodes)
      for (const before of node.step.after) expect(node.x).toBeGreaterThanOrEqual((at.get(before)?.x ?? 0) + card.width)
    expect(new Set(nodes.map((node) => `${node.x} ${node.y}`)).size).toBe(4)
    for (const { x, y } of nodes)
      expect([x >= 0, y >= 0, x + card.width <= width, y + card.height <= height]).toEqual([true, true, true, true])
  })

  it('draws no line that a longer way says already, and marks the longest way', () => {
    const { edges } = placeSteps([step(1, []), step(2, [1]), step(3, [1], false), step(4, [1, 2, 3])])
    expect(edges.map((edge) => [edge.from, edge.to, edge.isCritical])).toEqual([
      [1, 2, true],
      [1, 3, false],
      [2, 4, true],
      [3, 4, false],
    ])
  })
})

it('states how long something takes in words', () => {
  expect([null, 0.2, 42, 240, 7_200].map((seconds) => durationLabel(seconds, translate('post.duration')))).toEqual([
    'not measured yet',
    'about 1 s',
    'about 42 s',
    'about 4 min',
    'about 2 h',
  ])
})

it('breaks names between words, on two lines at most', () => {
  expect(wrapName('1. Write a report')).toEqual(['1. Write a report'])
  expect(wrapName('2. Draw a chart in text')).toEqual(['2. Draw a chart in', 'text'])
  expect(wrapName('6. Plan and coordinate a goal of many words')).toEqual(['6. Plan and', 'coordinate a goal o…'])
  for (const line of wrapName('Donaudampfschifffahrtsgesellschaft')) expect(line.length).toBeLessThanOrEqual(20)
})
