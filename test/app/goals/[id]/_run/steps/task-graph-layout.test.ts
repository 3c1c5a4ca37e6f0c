import { describe, expect, it } from 'vitest'
import { fitTaskGraph, layTaskGraph, nodeSize } from '../../../../../../app/goals/[id]/_run/steps/task-graph-layout.ts'
import { step, task } from '../samples.ts'

const steps = [
  step({ step: 1 }),
  step({ step: 2, dependsOn: [1] }),
  step({ step: 3, dependsOn: [1] }),
  step({ step: 4, dependsOn: [2, 3] }),
  step({ step: 5, dependsOn: [4] }),
]

describe('layTaskGraph', () => {
  it.each(['across', 'down'] as const)('puts every step after all that it needs (%s), and none on another', (direction) => {
    const { nodes, edges, width, height } = layTaskGraph(steps, [], direction)
    const at = (number: number) => {
      const node = nodes.find((one) => one.step.step === number)
      return direction === 'across' ? (node?.x ?? Number.NaN) : (node?.y ?? Number.NaN)
    }
    expect(edges).toHaveLength(5)
    for (const edge of edges) expect(at(edge.to)).toBeGreaterThan(at(edge.from))
    for (const a of nodes)
      for (const b of nodes) if (a !== b) expect(Math.abs(a.x - b.x) >= nodeSize.width || Math.abs(a.y - b.y) >= nodeSize.height).toBe(true)
    for (const node of nodes) {
      expect(node.x + nodeSize.width).toBeLessThanOrEqual(width)
      expect(node.y + nodeSize.height).toBeLessThanOrEqual(height)
    }
  })

  it('draws no edge that a longer way says already', () => {
    const all = [step({ step: 1 }), step({ step: 2, dependsOn: [1] }), step({ step: 3, dependsOn: [1, 2] })]
    expect(layTaskGraph(all, [], 'across').edges).toEqual([
      { from: 1, to: 2 },
      { from: 2, to: 3 },
    ])
  })

  it('lays nothing out of nothing, and ignores an edge to a step that is not there', () => {
    expect(layTaskGraph([], [], 'across')).toMatchObject({ nodes: [], edges: [] })
    expect(layTaskGraph([step({ step: 2, dependsOn: [1] })], [], 'down').edges).toEqual([])
  })

  it('carries how far the newest task is', () => {
    const tasks = [task({ step: 1, epoch: 1, done: 90 }), task({ step: 1, epoch: 2, done: 10 })]
    expect(layTaskGraph(steps, tasks, 'across').nodes[0]?.done).toBe(10)
  })
})

describe('fitTaskGraph', () => {
  it.each([
    [1120, 'across'],
    [640, 'down'],
    [358, 'down'],
  ])('is large enough to read in a box of %d px, laid %s', (width, direction) => {
    const laid = fitTaskGraph(steps, [], width)
    expect(laid.zoom).toBeGreaterThanOrEqual(0.8)
    expect(laid.width * laid.zoom).toBeLessThanOrEqual(width + 1)
    expect(laid.direction).toBe(direction)
  })

  it.each([
    [358, 2],
    [300, 2],
    [240, 1],
  ])('breaks a row that is wider than a box of %d px into rows of %d, each after all that it needs', (width, columns) => {
    const many = [
      step({ step: 1 }),
      ...[2, 3, 4, 5, 6].map((number) => step({ step: number, dependsOn: [1] })),
      step({ step: 7, dependsOn: [4] }),
    ]
    const { nodes, edges, node, zoom, height, width: across } = fitTaskGraph(many, [], width)
    expect(zoom).toBeGreaterThanOrEqual(0.8)
    expect(across * zoom).toBeLessThanOrEqual(width + 1)
    const y = (number: number) => nodes.find((one) => one.step.step === number)?.y ?? Number.NaN
    for (const edge of edges) expect(y(edge.to)).toBeGreaterThanOrEqual(y(edge.from) + node.height)
    for (const row of Map.groupBy(nodes, (one) => one.y).values()) {
      expect(row.length).toBeLessThanOrEqual(columns)
      const lefts = row.map((one) => one.x).sort((a, b) => a - b)
      for (const [index, left] of lefts.entries()) expect(left - (lefts[index - 1] ?? -node.width)).toBeGreaterThanOrEqual(node.width)
    }
    expect(Math.max(...nodes.map((one) => one.y + node.height))).toBeLessThanOrEqual(height)
  })
})
