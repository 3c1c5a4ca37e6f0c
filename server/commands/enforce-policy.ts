import { type Command, hasContentTagRule, type PolicyRequest } from '@parley/protocol'
import type { Context } from '../context.ts'
import { activeRules, enforceRules } from '../policy/index.ts'
import { getListing } from '../registry/index.ts'
import { findResourcePoolEntry } from '../resource-pools/index.ts'
import { requireOwnChannel } from '../settlement/index.ts'
import { listSteps } from '../teams/index.ts'
import { policyRequestsOfCommand } from './policy-requests-of-command.ts'
import { requireVisibleIds } from './require-visible-ids.ts'

/**
 * Policy enforcement point: checks the operators' rules for a command from any entry point, before its handler runs. Returns undefined if
 * there are no rules, so that the caller need not wait.
 * @throws rule.denied, rule.approval_required
 */
export function enforcePolicy(ctx: Context, command: Command): Promise<void> | undefined {
  if (ctx.actor.kind !== 'agent' && ctx.actor.kind !== 'person') return
  const known = activeRules(ctx)
  return Array.isArray(known) && known.length === 0 ? undefined : checkRules(ctx, command, known)
}

async function checkRules(ctx: Context, command: Command, known: ReturnType<typeof activeRules>): Promise<void> {
  const rules = await known
  if (rules.length === 0) return
  for (const request of policyRequestsOfCommand(ctx.actor, command, (point) => hasContentTagRule(rules, point)))
    await enforceRules(ctx, rules, request)
  if (command.type === 'proxy.open') await enforceRules(ctx, rules, await admissionRequest(ctx, command.resource))
  if (!rules.some((rule) => rule.points.includes('execute') || rule.points.includes('act'))) return
  for (const request of await executionRequests(ctx, command)) await enforceRules(ctx, rules, request)
}

/** The admission of the resource behind a proxy, as the gateway agent reported it. */
async function admissionRequest(ctx: Context, resource: string): Promise<PolicyRequest> {
  const entry = ctx.actor.kind === 'agent' ? await findResourcePoolEntry(ctx, ctx.actor.agentId, resource) : null
  if (!entry) return { point: 'admit', dids: [resource] }
  const { kind, operator, host, region = null, skills } = entry
  return { point: 'admit', kind, dids: [resource, operator], host, region, skill_ids: skills }
}

/** The agents that receive work through an id in the command. Queried only if a rule may apply. */
async function executionRequests(ctx: Context, command: Command): Promise<PolicyRequest[]> {
  if (command.type === 'team.propose') {
    const requests: PolicyRequest[] = []
    for (const { agent_id, skill_id } of command.charter.steps) requests.push(...(await proxyRequests(ctx, agent_id, skill_id)))
    return requests
  }
  if (command.type === 'task.assign') {
    // A rule must not reveal to a stranger who has a step of a private goal.
    await requireVisibleIds(ctx, command)
    const step = (await listSteps(ctx, command.goal_id)).find((one) => one.step === command.step)
    return step ? agentRequests(ctx, step.agentId, step.skillId) : []
  }
  if (command.type === 'call.request') {
    const channel = await requireOwnChannel(ctx, command.channel_id)
    return agentRequests(ctx, channel.agentId, command.skill_id)
  }
  if (command.type === 'skill.test') return agentRequests(ctx, command.agent_id, command.skill_id)
  return []
}

async function agentRequests(ctx: Context, agentId: string, skillId: string): Promise<PolicyRequest[]> {
  const { did, owner_id } = await getListing(ctx, agentId)
  const agent: PolicyRequest = { point: 'execute', kind: 'agent', agent_ids: [agentId], dids: [did, owner_id], skill_ids: [skillId] }
  return [agent, ...(await proxyRequests(ctx, agentId, skillId))]
}

/**
 * If an agent is the proxy of a resource, rules about the resource, its operator or its gateway apply too. A gateway agent that may not
 * act gets no work to forward.
 */
async function proxyRequests(ctx: Context, agentId: string, skillId: string): Promise<PolicyRequest[]> {
  const { proxy } = await getListing(ctx, agentId)
  if (!proxy) return []
  const { resource, operator, kind, region = null, gateway } = proxy
  const dids = [resource, operator, gateway.did]
  return [
    { point: 'execute', kind, agent_ids: [agentId, gateway.agent_id], dids, skill_ids: [skillId], region },
    { point: 'act', agent_ids: [gateway.agent_id], dids: [resource, gateway.did] },
  ]
}
