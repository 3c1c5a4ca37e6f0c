import { type Command, type Deed, looksAtContent } from '@parley/protocol'
import type { Context } from '../context.ts'
import { requireAllowed, rulesInForce } from '../policy/index.ts'
import { getListing } from '../registry/index.ts'
import { requireChannelOf } from '../settlement/index.ts'
import { listSteps } from '../teams/index.ts'
import { deedsOf } from './deeds.ts'

/**
 * Asks the operators' rules about a command before any verb sees it: whatever door it came through, and whatever it is about.
 * Where there are no rules this costs a look at a list, and needs no waiting.
 * @throws rule.denied, rule.held
 */
export function keepRules(ctx: Context, command: Command): Promise<void> | undefined {
  if (ctx.actor.kind !== 'agent' && ctx.actor.kind !== 'person') return
  const known = rulesInForce(ctx)
  return Array.isArray(known) && known.length === 0 ? undefined : askRules(ctx, command, known)
}

async function askRules(ctx: Context, command: Command, known: ReturnType<typeof rulesInForce>): Promise<void> {
  const rules = await known
  if (rules.length === 0) return
  for (const deed of deedsOf(ctx.actor, command, (point) => looksAtContent(rules, point))) await requireAllowed(ctx, rules, deed)
  if (!rules.some((rule) => rule.points.includes('execute'))) return
  const deed = await executes(ctx, command)
  if (deed) await requireAllowed(ctx, rules, deed)
}

/** Whom a command gives work to, where it says so by the id of something else. Only looked up where a rule may ask. */
async function executes(ctx: Context, command: Command): Promise<Deed | null> {
  if (command.type === 'task.assign') {
    const step = (await listSteps(ctx, command.goal_id)).find((one) => one.step === command.step)
    return step ? about(ctx, step.agentId, step.skillId) : null
  }
  if (command.type === 'call.request') {
    const channel = await requireChannelOf(ctx, command.channel_id)
    return about(ctx, channel.agentId, command.skill_id)
  }
  return null
}

async function about(ctx: Context, agentId: string, skillId: string): Promise<Deed> {
  const { did, owner_id } = await getListing(ctx, agentId)
  return { point: 'execute', kind: 'agent', agent_ids: [agentId], dids: [did, owner_id], skill_ids: [skillId] }
}
