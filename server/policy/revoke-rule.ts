import type { RevokeRule } from '@parley/protocol'
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
export async function revokeRule(ctx: Context, input: RevokeRule): Promise<{ rule_id: string }> {
  await permit(ctx, 'rule.revoke')
  requireOperator(ctx, 'rule.revoke')
  const { rule_id } = input
  return inTransaction(ctx, async (tx) => {
    await tx.db.$queryRaw`select 1 from "rule" where "id" = ${rule_id} for update`
    const rule = await tx.db.rule.findUnique({ where: { id: rule_id } })
    if (!rule) throw ruleNotFound(rule_id)
    if (rule.revokedAt !== null) return { rule_id }
    await tx.db.rule.update({ where: { id: rule_id }, data: { revokedAt: tx.clock.now() } })
    await appendAudit(tx, { stream: 'rules', action: 'rule.revoke', before: { rule_id, ...(rule.body as object) } })
    afterCommit(tx, () => clearRuleCache(ctx))
    return { rule_id }
  })
}
