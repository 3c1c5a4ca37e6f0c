/** The layout of the state diagram of a room, from the protocol's table. Pure. */
import { Graph, layout } from '@dagrejs/dagre'
import { type RoomState, roomStates } from '@parley/protocol'
import { type RoomArrow, roomArrows } from './room-transitions.ts'

type Size = { readonly width: number; readonly height: number }
type Point = { readonly x: number; readonly y: number }
/** `x`, `y`: the center. */
export type DrawnState = Point & { readonly state: RoomState }
/** `label`: the center of its names, each on its own line. */
export type DrawnArrow = RoomArrow & { readonly points: readonly Point[]; readonly label: Point; readonly labelSize: Size }
export type RoomDrawing = {
  readonly width: number
  readonly height: number
  readonly states: readonly DrawnState[]
  readonly arrows: readonly DrawnArrow[]
}

export const stateSize = { width: 116, height: 44 }
const letterWidth = 6.6
export const lineHeight = 16

export function layOutRoomDiagram(): RoomDrawing {
  const graph = new Graph({ multigraph: true })
  graph.setGraph({ rankdir: 'TB', nodesep: 48, ranksep: 44, edgesep: 14, marginx: 12, marginy: 12 })
  graph.setDefaultEdgeLabel(() => ({}))
  for (const state of roomStates) graph.setNode(state, { ...stateSize })
  const arrows = roomArrows()
  const sizeOf = ({ names }: RoomArrow): Size => ({
    width: Math.round(Math.max(...names.map((name) => name.length)) * letterWidth) + 10,
    height: names.length * lineHeight,
  })
  for (const arrow of arrows) graph.setEdge(arrow.from, arrow.to, { ...sizeOf(arrow), labelpos: 'c' })
  layout(graph)
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number }
  return {
    width: Math.ceil(width),
    height: Math.ceil(height),
    states: roomStates.map((state) => {
      const { x, y } = graph.node(state) as Point
      return { state, x, y }
    }),
    arrows: arrows.map((arrow) => {
      const laid = graph.edge(arrow.from, arrow.to) as Point & { points: Point[] }
      return { ...arrow, points: laid.points, label: { x: laid.x, y: laid.y }, labelSize: sizeOf(arrow) }
    }),
  }
}
