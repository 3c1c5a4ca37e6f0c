import type { LiftRule } from '@parley/protocol'
import { appendAudit } from '../audit/index.ts'
import type { Context } from '../context.ts'
import { afterCommit, inTransaction } from '../db.ts'
import { ruleNotFound } from './errors.ts'
import { permit } from './permit.ts'
import { requireOperator } from './require-operator.ts'
import { clearRuleCache } from './rule-cache.ts'

/**
 * An operator revokes a rule. Idempotent.
 * @throws permission.denied, rule.not_found
 */
export async function liftRule(ctx: Context, input: LiftRule): Promise<{ rule_id: string }> {
  await permit(ctx, 'rule.lift')
  requireOperator(ctx, 'rule.lift')
  const { rule_id } = input
  return inTransaction(ctx, async (tx) => {
    await tx.db.$queryRaw`select 1 from "rule" where "id" = ${rule_id} for update`
    const rule = await tx.db.rule.findUnique({ where: { id: rule_id } })
    if (!rule) throw ruleNotFound(rule_id)
    if (rule.liftedAt !== null) return { rule_id }
    await tx.db.rule.update({ where: { id: rule_id }, data: { liftedAt: tx.clock.now() } })
    await appendAudit(tx, { chain: 'rules', action: 'rule.lift', before: { rule_id, ...(rule.body as object) } })
    afterCommit(tx, () => clearRuleCache(ctx))
    return { rule_id }
  })
}
