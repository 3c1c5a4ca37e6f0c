/** The layout of a previewed plan: columns by dependencies, rows within a column. Pure. */

import type { PreviewStep } from '@/server/trpc/views/preview-plan.ts'
import type { Translate } from '../../../_messages/translate-types.ts'

export const card = { width: 156, height: 92, gapX: 22, gapY: 14 } as const
/** The maximum characters of a name on one line of a card. */
const lineLength = 20

export type PlacedStep = { readonly step: PreviewStep; readonly x: number; readonly y: number }
export type PlacedEdge = { readonly from: number; readonly to: number; readonly path: string; readonly isCritical: boolean }
export type PreviewGraph = {
  readonly nodes: readonly PlacedStep[]
  readonly edges: readonly PlacedEdge[]
  readonly width: number
  readonly height: number
}

export function placeSteps(steps: readonly PreviewStep[]): PreviewGraph {
  const column = new Map<number, number>()
  for (const { step, after } of steps) column.set(step, after.length === 0 ? 0 : 1 + Math.max(...after.map((one) => column.get(one) ?? 0)))
  const columns = Map.groupBy(steps, ({ step }) => column.get(step) ?? 0)
  const tallest = Math.max(1, ...[...columns.values()].map((list) => list.length))
  const height = tallest * (card.height + card.gapY) - card.gapY
  const nodes = steps.map((step): PlacedStep => {
    const at = column.get(step.step) ?? 0
    const list = columns.get(at) ?? []
    const own = list.length * (card.height + card.gapY) - card.gapY
    return { step, x: at * (card.width + card.gapX), y: (height - own) / 2 + list.indexOf(step) * (card.height + card.gapY) }
  })
  const placeOf = new Map(nodes.map((node) => [node.step.step, node]))
  const edges = directEdges(steps).flatMap(({ from, to }): PlacedEdge[] => {
    const [a, b] = [placeOf.get(from), placeOf.get(to)]
    if (!a || !b) return []
    const [x1, y1, x2, y2] = [a.x + card.width, a.y + card.height / 2, b.x, b.y + card.height / 2]
    const bend = (x1 + x2) / 2
    return [{ from, to, path: `M${x1} ${y1}C${bend} ${y1} ${bend} ${y2} ${x2} ${y2}`, isCritical: a.step.isCritical && b.step.isCritical }]
  })
  return { nodes, edges, width: columns.size * (card.width + card.gapX) - card.gapX, height }
}

/** The transitive reduction. */
function directEdges(steps: readonly PreviewStep[]): { from: number; to: number }[] {
  const needs = new Map(steps.map((step) => [step.step, step.after]))
  const reaches = (from: number, to: number): boolean => (needs.get(from) ?? []).some((next) => next === to || reaches(next, to))
  return steps.flatMap(({ step, after }) =>
    after.filter((one) => !after.some((other) => other !== one && reaches(other, one))).map((from) => ({ from, to: step })),
  )
}

/** A name on at most two lines, wrapped between words. The rest is truncated. */
export function wrapName(name: string): string[] {
  const lines: string[] = ['']
  for (const word of name.split(' ')) {
    const longer = `${lines.at(-1)} ${word}`.trim()
    if (longer.length <= lineLength || lines.at(-1) === '') lines[lines.length - 1] = longer
    else lines.push(word)
  }
  const [first = '', second = '', ...more] = lines.map((line) => (line.length > lineLength ? `${line.slice(0, lineLength - 1)}…` : line))
  return second === '' ? [first] : [first, more.length > 0 ? `${second.slice(0, lineLength - 1)}…` : second]
}

/** "about 3 s", "about 2 min"; or a text for an unmeasured time. */
export function durationLabel(seconds: number | null, t: Translate<'post.duration'>): string {
  if (seconds === null) return t('notMeasured')
  if (seconds < 90) return t('seconds', { count: Math.max(1, Math.round(seconds)) })
  if (seconds < 5_400) return t('minutes', { count: Math.round(seconds / 60) })
  return t('hours', { count: Math.round(seconds / 3_600) })
}
