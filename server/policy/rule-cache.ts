import { isInForce, Rule } from '@parley/protocol'
import type { Context } from '../context.ts'
import type { Ports } from '../ports.ts'

/** Every process reloads the rules after this time, so a rule is active everywhere within it. */
export const ruleCacheMs = 1_000

type RuleCache = { rules: readonly Rule[]; at: number; asking: Promise<readonly Rule[]> | null }
/** One list for each composition of the server, so that two in one process do not share it. */
const ruleCaches = new WeakMap<Ports, RuleCache>()

/** The active rules. Checked for every command, and loaded from the database at most once a second. */
export function activeRules(ctx: Context): readonly Rule[] | Promise<readonly Rule[]> {
  const now = ctx.clock.now().getTime()
  const kept = ruleCaches.get(ctx.ports)
  // A clock that was set back must not keep a stale list.
  if (kept && kept.at <= now && now < kept.at + ruleCacheMs) return kept.rules
  if (kept?.asking) return kept.asking
  const asking = loadRules(ctx).then(
    (rules) => {
      if (ruleCaches.get(ctx.ports)?.asking === asking) ruleCaches.set(ctx.ports, { rules, at: now, asking: null })
      return rules
    },
    (error: unknown) => {
      clearRuleCache(ctx)
      throw error
    },
  )
  ruleCaches.set(ctx.ports, { rules: kept?.rules ?? [], at: Number.NEGATIVE_INFINITY, asking })
  return asking
}

/** Cache invalidation: the next command loads the rules again. For the process that changed a rule. */
export function clearRuleCache(ctx: Context): void {
  ruleCaches.delete(ctx.ports)
}

/** Loads from the database, oldest first. */
export async function loadRules(ctx: Context): Promise<Rule[]> {
  const now = ctx.clock.now()
  const rows = await ctx.db.rule.findMany({
    where: { revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    select: { id: true, body: true },
  })
  return rows.map(({ id, body }) => Rule.parse({ ...(body as object), rule_id: id })).filter((rule) => isInForce(rule, now.getTime()))
}
