import type { CreateRule } from '@parley/protocol'
import { appendAudit } from '../audit/index.ts'
import { actorName, type Context } from '../context.ts'
import { afterCommit, inTransaction } from '../db.ts'
import { rulesFull } from './errors.ts'
import { permit } from './permit.ts'
import { requireOperator } from './require-operator.ts'
import { clearRuleCache } from './rule-cache.ts'

/** Every command checks all of them. */
export const maxRules = 500

/**
 * An operator denies, holds or allows something: in this process at once, in every other one within a second. An empty subject at the
 * point `act` stops every agent.
 * @throws permission.denied, request.malformed if there are too many rules
 */
export async function createRule(ctx: Context, input: CreateRule): Promise<{ rule_id: string }> {
  await permit(ctx, 'rule.create')
  requireOperator(ctx, 'rule.create')
  const { effect, points, subject, reason, expires_at } = input.rule
  return inTransaction(ctx, async (tx) => {
    await tx.db.$executeRaw`select pg_advisory_xact_lock(hashtextextended('rules', 0))`
    if ((await tx.db.rule.count({ where: { revokedAt: null } })) >= maxRules) throw rulesFull(maxRules)
    const rule_id = tx.ids.next('rul')
    const body = { effect, points, subject, reason, ...(expires_at !== undefined && { expires_at }) }
    await tx.db.rule.create({
      data: {
        id: rule_id,
        body,
        expiresAt: expires_at === undefined ? null : new Date(expires_at),
        createdBy: actorName(tx.actor),
        createdAt: tx.clock.now(),
      },
    })
    await appendAudit(tx, { stream: 'rules', action: 'rule.create', after: { rule_id, ...body } })
    afterCommit(tx, () => clearRuleCache(ctx))
    return { rule_id }
  })
}
