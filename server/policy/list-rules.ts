import type { Rule } from '@parley/protocol'
import type { Context } from '../context.ts'
import { requireOperator } from './require-operator.ts'
import { loadRules } from './rule-cache.ts'

/** An actor that a rule has denied. `isHeld`: an operator may still allow it. */
export type RuleDenialView = {
  readonly ruleId: string
  readonly point: string
  readonly actor: string
  readonly subject: string
  readonly count: number
  readonly lastAt: Date
  readonly isHeld: boolean
}
export type RulesView = { readonly rules: readonly Rule[]; readonly stops: readonly RuleDenialView[] }

const maxDenials = 100

/**
 * The active rules and their latest denials.
 * @throws permission.denied except for operators
 */
export async function listRules(ctx: Context): Promise<RulesView> {
  requireOperator(ctx, 'rule.list')
  const rules = await loadRules(ctx)
  const stops = await ctx.db.ruleDenial.findMany({
    where: { ruleId: { in: rules.map((rule) => rule.rule_id) } },
    orderBy: { lastAt: 'desc' },
    take: maxDenials,
    omit: { firstAt: true, auditedAt: true },
  })
  const asking = new Set(rules.filter((rule) => rule.effect === 'ask').map((rule) => rule.rule_id))
  return { rules, stops: stops.map((stop) => ({ ...stop, isHeld: asking.has(stop.ruleId) })) }
}
