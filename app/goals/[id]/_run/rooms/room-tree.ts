/** The rooms of a goal as a tree, each with its lead, its purpose and its cost. Pure. */
import type { RunStep } from '../run-view.ts'

type Room = {
  readonly roomId: string
  readonly parentRoomId: string
  readonly step: number
  readonly agentId: string
  readonly outcome: string | null
}

export type RoomTreeItem = {
  readonly roomId: string
  /** Null for the goal's own room. */
  readonly step: RunStep | null
  /** The lead; null if there is none. */
  readonly leadAgentId: string | null
  readonly outcome: string | null
  readonly steps: readonly RunStep[]
  /** The sum of its steps, base units. */
  readonly sum: bigint
  readonly done: number
  readonly below: readonly RoomTreeItem[]
}

const ended: readonly string[] = ['done', 'paid']

export function roomTree(given: {
  readonly roomId: string
  readonly leadAgentId: string | null
  readonly steps: readonly RunStep[]
  readonly rooms: readonly Room[]
}): RoomTreeItem {
  const { rooms, steps } = given
  const nodeOf = (roomId: string, room: Room | null): RoomTreeItem => {
    const own = steps.filter((step) => (room ? step.roomId === roomId : step.roomId === null) && !step.canceled)
    return {
      roomId,
      step: steps.find((step) => step.step === room?.step) ?? null,
      leadAgentId: room ? room.agentId : given.leadAgentId,
      outcome: room?.outcome ?? null,
      steps: own,
      sum: own.reduce((sum, step) => sum + step.amount, 0n),
      done: own.filter((step) => ended.includes(step.state)).length,
      below: rooms.filter((one) => one.parentRoomId === roomId).map((one) => nodeOf(one.roomId, one)),
    }
  }
  return nodeOf(given.roomId, null)
}

/**
 * The steps of the graph. Steps of a sub-team are before their parent step and after the dependencies of that step.
 * Canceled steps are omitted.
 */
export function withSubSteps(steps: readonly RunStep[]): RunStep[] {
  const shown = steps.filter((step) => !step.canceled)
  const original = new Map(shown.map((step) => [step.step, step]))
  const needs = (step: RunStep): readonly number[] => {
    const parent = step.parent === null ? undefined : original.get(step.parent)
    return step.dependsOn.length > 0 || !parent ? step.dependsOn : needs(parent)
  }
  return shown.map((step) => ({
    ...step,
    dependsOn: [...new Set([...needs(step), ...shown.filter((one) => one.parent === step.step).map((one) => one.step)])],
  }))
}
