import { Graph, layout } from '@dagrejs/dagre'
import type { RunStep, RunTask } from '../run-view.ts'
import { type StepStatus, stepStatus } from './step-status.ts'

export type NodeSize = { readonly width: number; readonly height: number }
export const nodeSize: NodeSize = { width: 188, height: 108 }
/** Two of these fit beside each other on a phone. */
const narrowNodeSize: NodeSize = { width: 162, height: 108 }
/** Below this scale, the text of a node is too small to read. */
const minZoom = 0.8
const margin = 10
const nodeGap = 12
const rankGap = 32

export type GraphNode = {
  readonly step: RunStep
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
}

/** The layout for a box of that width, complete and readable: horizontal if it fits, otherwise vertical with wrapped rows. */
export function fitTaskGraph(steps: readonly RunStep[], tasks: readonly RunTask[], width: number): FittedGraph {
  const across = layTaskGraph(steps, tasks, 'across')
  const isAcross = across.width * minZoom <= width
  const node = isAcross || width >= 640 ? nodeSize : narrowNodeSize
  const laid = isAcross ? across : breakRows(layTaskGraph(steps, tasks, 'down', node), node, width)
  const zoom = Math.max(minZoom, Math.min(1, width / laid.width))
  return { ...laid, direction: isAcross ? 'across' : 'down', node, zoom }
}

/** A vertical layout in which rows that are wider than the box are wrapped. */
function breakRows(graph: TaskGraph, size: NodeSize, width: number): TaskGraph {
  if (graph.width * minZoom <= width) return graph
  const column = size.width + nodeGap
  const columns = Math.max(1, Math.floor((width / minZoom - 2 * margin + nodeGap) / column))
  const ranks = [...Map.groupBy(graph.nodes, (node) => node.y).entries()].sort(([a], [b]) => a - b)
  const rowWidth = (count: number) => count * column - nodeGap
  const widest = rowWidth(Math.min(columns, Math.max(0, ...ranks.map(([, rank]) => rank.length))))
  const placed: GraphNode[] = []
  let y = margin
  for (const [, rank] of ranks) {
    const inOrder = rank.toSorted((a, b) => a.x - b.x)
    for (let from = 0; from < inOrder.length; from += columns) {
      const row = inOrder.slice(from, from + columns)
      const left = margin + Math.round((widest - rowWidth(row.length)) / 2)
      placed.push(...row.map((node, index) => ({ ...node, x: left + index * column, y })))
      y += size.height + (from + columns < inOrder.length ? nodeGap : rankGap)
    }
  }
  const nodes = graph.nodes.map((node) => placed.find((one) => one.step.step === node.step.step) ?? node)
  return { nodes, edges: graph.edges, width: widest + 2 * margin, height: y - rankGap + margin }
}

/** Places the steps from left to right (`across`) or from top to bottom (`down`), each after its dependencies. */
export function layTaskGraph(
  steps: readonly RunStep[],
  tasks: readonly RunTask[],
  direction: 'across' | 'down',
  size: NodeSize = nodeSize,
): TaskGraph {
  const graph = new Graph()
  graph.setGraph({ rankdir: direction === 'across' ? 'LR' : 'TB', nodesep: nodeGap, ranksep: rankGap, marginx: margin, marginy: margin })
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

/** The transitive reduction of the edges: a dependency that follows from others is omitted. */
function directEdges(steps: readonly RunStep[]): GraphEdge[] {
  const needs = new Map(steps.map((step) => [step.step, step.dependsOn]))
  const reaches = (from: number, to: number): boolean => (needs.get(from) ?? []).some((next) => next === to || reaches(next, to))
  return steps.flatMap((step) =>
    step.dependsOn
      .filter((needed) => !step.dependsOn.some((other) => other !== needed && reaches(other, needed)))
      .map((from) => ({ from, to: step.step })),
  )
}
