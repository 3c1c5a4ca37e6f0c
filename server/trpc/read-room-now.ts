import type { DeliveredEnvelope } from '@parley/protocol'
import type { Context } from '../context.ts'
import { listMembers, readMessages, requireReader } from '../conversations/index.ts'
import { getHead } from '../delivery/index.ts'
import { getGoal, goalNotFound } from '../goals/index.ts'
import { listTasks } from '../tasks/index.ts'
import { listSubTeams } from '../teams/index.ts'
import { type RoomNow, roomNow } from './room-now.ts'

/** A room is read from its first message on; one of more is left to those who follow it. */
const mostMessages = 2_000
const pageSize = 500

/**
 * How a goal's room, or one below it, stands. Null where nobody leads yet, or where more was said than is read for a page.
 * @throws goal.not_found, group.not_member
 */
export async function readRoomNow(ctx: Context, input: { goalId: string; groupId: string }): Promise<RoomNow | null> {
  const { groupId } = input
  const goal = await getGoal(ctx, input.goalId)
  const team = goal.groupId === groupId ? null : (await listSubTeams(ctx, goal.id)).find((one) => one.groupId === groupId)
  if (team === undefined) throw goalNotFound(input.goalId)
  await requireReader(ctx, groupId)
  const lead = team?.leadId ?? goal.principalId
  const { head } = await getHead(ctx, groupId)
  if (lead === null || head > mostMessages) return null
  const [members, tasks, envelopes] = await Promise.all([listMembers(ctx, groupId), listTasks(ctx, goal.id), readWhole(ctx, groupId, head)])
  const didOf = new Map(members.flatMap(({ agentId, memberId }) => (agentId === null ? [] : [[agentId, memberId] as const])))
  const assignees = new Map(
    tasks.flatMap((task) => {
      const did = task.groupId === groupId ? didOf.get(task.agentId) : undefined
      return did === undefined ? [] : [[task.id, did] as const]
    }),
  )
  const told = { lead, client: goal.clientId, members: [...didOf.values()], assignees, server: ctx.market.serverDid, envelopes }
  return roomNow(told, ctx.clock.now())
}

async function readWhole(ctx: Context, groupId: string, head: number): Promise<DeliveredEnvelope[]> {
  const read: DeliveredEnvelope[] = []
  for (let after = 0; after < head; ) {
    const page = await readMessages(ctx, { groupId, after, limit: pageSize })
    const last = page.at(-1)?.seq
    if (last === undefined) break
    read.push(...page)
    after = last
  }
  return read
}
