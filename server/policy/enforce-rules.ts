import { evaluateRules, type PolicyRequest, type Rule } from '@parley/protocol'
import { appendAudit } from '../audit/index.ts'
import { actorName, type Context } from '../context.ts'
import { inTransaction } from '../db.ts'
import { ruleDenied, ruleHeld } from './errors.ts'

/** Repeated denials of one actor by one rule make one audit row per hour, and a count. */
export const denialAuditIntervalMs = 3_600_000
const maxAbout = 200

/**
 * Checks the rules for a request. A denial is recorded in its own transaction, because the command's transaction is rolled back.
 * @throws rule.denied, rule.approval_required
 */
export async function enforceRules(ctx: Context, rules: readonly Rule[], request: PolicyRequest): Promise<void> {
  const decision = evaluateRules(rules, request, ctx.clock.now().getTime())
  if (decision.effect === 'allow') return
  await recordDenial(ctx, decision.rule, decision.effect, request)
  throw decision.effect === 'deny' ? ruleDenied(decision.rule, request.point) : ruleHeld(decision.rule, request.point)
}

/** Whether the rules allow the request, without a record. For lists that only leave entries out. */
export function isAllowed(ctx: Context, rules: readonly Rule[], request: PolicyRequest): boolean {
  return rules.length === 0 || evaluateRules(rules, request, ctx.clock.now().getTime()).effect === 'allow'
}

/** Records the denial. */
async function recordDenial(ctx: Context, rule: Rule, effect: 'deny' | 'ask', request: PolicyRequest): Promise<void> {
  const actor = actorName(ctx.actor)
  const subject = [...new Set([...(request.agent_ids ?? []), ...(request.tags ?? [])])].join(' ').slice(0, maxAbout)
  const key = { ruleId: rule.rule_id, point: request.point, actor, subject }
  await inTransaction(ctx, async (tx) => {
    const now = tx.clock.now()
    await tx.db.$executeRaw`select pg_advisory_xact_lock(hashtextextended(${`stop:${rule.rule_id}:${actor}`}, 0))`
    const before = await tx.db.ruleDenial.findUnique({ where: { ruleId_point_actor_subject: key } })
    const isDue = !before || before.auditedAt.getTime() + denialAuditIntervalMs <= now.getTime()
    await tx.db.ruleDenial.upsert({
      where: { ruleId_point_actor_subject: key },
      create: { ...key, count: 1, firstAt: now, lastAt: now, auditedAt: now },
      update: { count: { increment: 1 }, lastAt: now, ...(isDue && { auditedAt: now }) },
    })
    if (!isDue) return
    const after = {
      rule_id: rule.rule_id,
      point: request.point,
      actor,
      agent_ids: request.agent_ids ?? [],
      tags: request.tags ?? [],
      reason: rule.reason,
    }
    await appendAudit(tx, { stream: 'rules', action: effect === 'deny' ? 'rule.denied' : 'rule.approval_required', after })
  })
}
