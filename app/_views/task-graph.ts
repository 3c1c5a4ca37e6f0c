import { Graph, layout } from '@dagrejs/dagre'
import type { StepView, TaskView } from './run.ts'
import { type StepStatus, stepStatus } from './step-status.ts'

export type NodeSize = { readonly width: number; readonly height: number }
export const nodeSize: NodeSize = { width: 188, height: 108 }
/** Two of these stand beside one another on a phone. */
const narrowNodeSize: NodeSize = { width: 162, height: 108 }
/** Below this, words in a node are too small to be read. */
const leastZoom = 0.8
const margin = 10

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
export type FittedGraph = TaskGraph & {
  readonly direction: 'across' | 'down'
  readonly node: NodeSize
  readonly zoom: number
  /** Whether all of it is seen at once; otherwise it has to be moved about. */
  readonly isWhole: boolean
}

/** The graph for a box of that width, large enough to read: across where that fits, else down, else larger than the box. */
export function fitTaskGraph(steps: readonly StepView[], tasks: readonly TaskView[], width: number): FittedGraph {
  const across = layTaskGraph(steps, tasks, 'across')
  const isAcross = across.width * leastZoom <= width
  const node = isAcross || width >= 640 ? nodeSize : narrowNodeSize
  const laid = isAcross ? across : layTaskGraph(steps, tasks, 'down', node)
  const zoom = Math.max(leastZoom, Math.min(1, width / laid.width))
  return { ...laid, direction: isAcross ? 'across' : 'down', node, zoom, isWhole: laid.width * zoom <= width + 1 }
}

/** Places the steps from left to right (`across`) or from top to bottom (`down`), each after all that it needs. */
export function layTaskGraph(
  steps: readonly StepView[],
  tasks: readonly TaskView[],
  direction: 'across' | 'down',
  size: NodeSize = nodeSize,
): TaskGraph {
  const graph = new Graph()
  graph.setGraph({ rankdir: direction === 'across' ? 'LR' : 'TB', nodesep: 12, ranksep: 32, marginx: margin, marginy: margin })
  graph.setDefaultEdgeLabel(() => ({}))
  const numbers = new Set(steps.map((step) => step.step))
  const edges = directEdges(steps.map((step) => ({ ...step, dependsOn: step.dependsOn.filter((needed) => numbers.has(needed)) })))
  for (const step of steps) graph.setNode(String(step.step), { ...size })
  for (const edge of edges) graph.setEdge(String(edge.from), String(edge.to))
  if (steps.length > 0) layout(graph)
  const nodes = steps.map((step): GraphNode => {
    const placed = graph.node(String(step.step)) as { x: number; y: number }
    const newest = tasks.filter((task) => task.step === step.step).sort((a, b) => b.epoch - a.epoch)[0]
    return {
      step,
      status: stepStatus(step, steps, tasks),
      done: newest?.done ?? null,
      x: Math.round(placed.x - size.width / 2),
      y: Math.round(placed.y - size.height / 2),
    }
  })
  const right = Math.max(0, ...nodes.map((node) => node.x + size.width))
  const bottom = Math.max(0, ...nodes.map((node) => node.y + size.height))
  return { nodes, edges, width: right + margin, height: bottom + margin }
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
