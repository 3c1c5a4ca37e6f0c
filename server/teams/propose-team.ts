import { type Charter, charterFaults, charterHash, type ProposeTeam } from '@parley/protocol'
import { appendAudit } from '../audit/index.ts'
import type { Context } from '../context.ts'
import { announce, joinRoom, leaveRoom, requireMember, speak } from '../conversations/index.ts'
import { inTransaction } from '../db.ts'
import { enqueue } from '../delivery/index.ts'
import { permit } from '../policy/index.ts'
import { getInbox, getListing } from '../registry/index.ts'
import { getHold } from '../settlement/index.ts'
import { carriedAnswer } from './carried-answer.ts'
import { teamCharterInvalid, teamNotPrincipal, teamWrongState } from './errors.ts'
import { keptFaults, listSteps } from './steps.ts'
import { findTeam } from './store.ts'
import { membersOf, type Team } from './team.ts'

/** The principal proposes a charter, or its next version, and thereby invites its members. */
export async function proposeTeam(ctx: Context, input: ProposeTeam): Promise<{ version: number; charter_hash: string }> {
  await permit(ctx, 'team.propose')
  return inTransaction(ctx, async (tx) => {
    const { charter } = input
    const hash = await charterHash(charter)
    await tx.db.$queryRaw`select 1 from "hold" where "goalId" = ${input.goal_id} for update`
    const team = await findTeam(tx, input.goal_id)
    if (team?.charterHash === hash) return { version: team.version, charter_hash: hash }
    const member = await requireMember(tx, charter.group_id)
    if (member.role !== 'principal') throw teamNotPrincipal(member.memberId)
    if (team?.state === 'disbanded') throw teamWrongState('disbanded', 'forming or sealed')
    const faults = [
      ...charterFaults(charter),
      ...(await factFaults(tx, input.goal_id, charter, member.memberId, team)),
      ...keptFaults(await listSteps(tx, input.goal_id), charter),
    ]
    if (faults.length > 0) throw teamCharterInvalid(faults)
    await speak(tx, {
      groupId: charter.group_id,
      given: input.envelope,
      say: { act: 'propose', state: 'task_assignment', parts: [{ data: { kind: 'charter', charter, charter_hash: hash } as never }] },
    })
    await write(tx, charter, hash, team)
    await invite(tx, charter, hash, team)
    await appendAudit(tx, {
      chain: input.goal_id,
      action: 'team.propose',
      before: team && { version: team.version },
      after: { version: charter.version, charter_hash: hash },
    })
    await enqueue(tx, { type: 'team.proposed', goal_id: charter.goal_id, version: charter.version })
    return { version: charter.version, charter_hash: hash }
  })
}

/** Where the charter disagrees with the hold, the registry or what went before. */
async function factFaults(tx: Context, goalId: string, charter: Charter, principal: string, team: Team | null): Promise<string[]> {
  const faults: string[] = []
  const hold = await getHold(tx, goalId)
  const differs = (what: string, actual: unknown, expected: unknown) => {
    if (actual !== expected) faults.push(`${what} is ${String(actual)}, it must be ${String(expected)}.`)
  }
  differs('The goal', charter.goal_id, goalId)
  differs('The version', charter.version, (team?.version ?? 0) + 1)
  differs('The principal', charter.principal_id, principal)
  differs('The total', charter.total, hold.total.toString())
  differs('The fee', charter.fee_bps, hold.feeBps)
  differs('The asset', charter.asset, hold.asset)
  differs('The evaluator', charter.evaluator_id.toLowerCase(), hold.evaluator.toLowerCase())
  if (hold.state !== 'authorized') faults.push(`The hold is ${hold.state}; a team forms on an authorized one.`)
  for (const step of charter.steps) {
    const listing = await getListing(tx, step.agent_id)
    if (listing.withdrawn_at !== null) faults.push(`Step ${step.step}: the listing of ${listing.handle} was withdrawn.`)
    differs(`Step ${step.step}: the agent's DID`, step.sender_id, listing.did)
    differs(`Step ${step.step}: the payee`, step.payee, listing.payout)
    const skill = listing.skills.find((one) => one.id === step.skill_id)
    if (!skill) faults.push(`Step ${step.step}: ${listing.handle} doesn't offer ${step.skill_id}.`)
  }
  return faults
}

async function write(tx: Context, charter: Charter, hash: string, team: Team | null): Promise<void> {
  const row = {
    groupId: charter.group_id,
    state: 'forming' as const,
    version: charter.version,
    charter: charter as object,
    charterHash: hash,
    principalId: charter.principal_id,
    proposedAt: tx.clock.now(),
    sealedAt: null,
    recordedAt: null,
  }
  if (team) await tx.db.team.update({ where: { goalId: charter.goal_id }, data: { ...row, rowVersion: { increment: 1 } } })
  else await tx.db.team.create({ data: { goalId: charter.goal_id, ...row } })
  const steps = await listSteps(tx, charter.goal_id)
  const answers = membersOf(charter).map((member) => carriedAnswer(member, charter, team, steps))
  await tx.db.teamMember.createMany({
    data: answers.map((answer) => ({ goalId: charter.goal_id, version: charter.version, ...answer })),
  })
  const carried = answers.filter((answer) => answer.answer === 'accepted')
  if (carried.length === 0) return
  await announce(tx, {
    groupId: charter.group_id,
    kind: 'charter.carried',
    text: `${carried.length === 1 ? 'A member has' : `${carried.length} members have`} done all of their steps and need not sign again.`,
    data: { version: charter.version, charter_hash: hash, members: carried.map((answer) => answer.did) },
  })
}

async function invite(tx: Context, charter: Charter, hash: string, team: Team | null): Promise<void> {
  const members = membersOf(charter)
  for (const former of team?.members ?? []) {
    if (!members.some((member) => member.agentId === former.agentId))
      await leaveRoom(tx, { groupId: charter.group_id, memberId: former.did })
  }
  for (const member of members) {
    const listing = await getListing(tx, member.agentId)
    await joinRoom(tx, {
      groupId: charter.group_id,
      memberId: member.did,
      agentId: member.agentId,
      ownerId: listing.owner_id,
      role: 'member',
    })
    await announce(tx, {
      groupId: await getInbox(tx, member.agentId),
      act: 'invite',
      kind: 'team.invite',
      data: { goal_id: charter.goal_id, group_id: charter.group_id, charter: charter as never, charter_hash: hash },
    })
  }
}
