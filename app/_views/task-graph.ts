import { Graph, layout } from '@dagrejs/dagre'
import type { StepView, TaskView } from './run.ts'
import { type StepStatus, stepStatus } from './step-status.ts'

export const nodeSize = { width: 200, height: 92 } as const

export type GraphNode = {
  readonly step: StepView
  readonly status: StepStatus
  readonly done: number | null
  readonly x: number
  readonly y: number
}
export type GraphEdge = { readonly from: number; readonly to: number }
export type TaskGraph = {
  readonly nodes: readonly GraphNode[]
  readonly edges: readonly GraphEdge[]
  readonly width: number
  readonly height: number
}

/** Places the steps from left to right (`across`) or from top to bottom (`down`), each after all that it needs. */
export function layTaskGraph(steps: readonly StepView[], tasks: readonly TaskView[], direction: 'across' | 'down'): TaskGraph {
  const graph = new Graph()
  graph.setGraph({ rankdir: direction === 'across' ? 'LR' : 'TB', nodesep: 20, ranksep: 40, marginx: 8, marginy: 8 })
  graph.setDefaultEdgeLabel(() => ({}))
  const numbers = new Set(steps.map((step) => step.step))
  const edges = directEdges(steps.map((step) => ({ ...step, dependsOn: step.dependsOn.filter((needed) => numbers.has(needed)) })))
  for (const step of steps) graph.setNode(String(step.step), { ...nodeSize })
  for (const edge of edges) graph.setEdge(String(edge.from), String(edge.to))
  if (steps.length > 0) layout(graph)
  const nodes = steps.map((step): GraphNode => {
    const placed = graph.node(String(step.step)) as { x: number; y: number }
    const newest = tasks.filter((task) => task.step === step.step).sort((a, b) => b.epoch - a.epoch)[0]
    return {
      step,
      status: stepStatus(step, steps, tasks),
      done: newest?.done ?? null,
      x: Math.round(placed.x - nodeSize.width / 2),
      y: Math.round(placed.y - nodeSize.height / 2),
    }
  })
  const right = Math.max(0, ...nodes.map((node) => node.x + nodeSize.width))
  const bottom = Math.max(0, ...nodes.map((node) => node.y + nodeSize.height))
  return { nodes, edges, width: right + 8, height: bottom + 8 }
}

/** The edges without those that a longer way says already: what needs 2, which needs 1, needs 1 anyway. */
function directEdges(steps: readonly StepView[]): GraphEdge[] {
  const needs = new Map(steps.map((step) => [step.step, step.dependsOn]))
  const reaches = (from: number, to: number): boolean => (needs.get(from) ?? []).some((next) => next === to || reaches(next, to))
  return steps.flatMap((step) =>
    step.dependsOn
      .filter((needed) => !step.dependsOn.some((other) => other !== needed && reaches(other, needed)))
      .map((from) => ({ from, to: step.step })),
  )
}
