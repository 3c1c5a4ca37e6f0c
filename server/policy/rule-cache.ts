import { isInForce, Rule } from '@parley/protocol'
import type { Context } from '../context.ts'
import type { Ports } from '../ports.ts'

/** Every process asks again after this long: a rule holds everywhere within it. */
export const rulesKeptMs = 1_000

type Kept = { rules: readonly Rule[]; at: number; asking: Promise<readonly Rule[]> | null }
/** One list for each composition of the server, so that two in one process don't share it. */
const keptOf = new WeakMap<Ports, Kept>()

/** The rules in force. Asked for with every command, and so read from the database at most once a second. */
export function rulesInForce(ctx: Context): readonly Rule[] | Promise<readonly Rule[]> {
  const now = ctx.clock.now().getTime()
  const kept = keptOf.get(ctx.ports)
  // A clock that was set back must not keep a list for ever.
  if (kept && kept.at <= now && now < kept.at + rulesKeptMs) return kept.rules
  if (kept?.asking) return kept.asking
  const asking = readRules(ctx).then(
    (rules) => {
      if (keptOf.get(ctx.ports)?.asking === asking) keptOf.set(ctx.ports, { rules, at: now, asking: null })
      return rules
    },
    (error: unknown) => {
      forgetRules(ctx)
      throw error
    },
  )
  keptOf.set(ctx.ports, { rules: kept?.rules ?? [], at: Number.NEGATIVE_INFINITY, asking })
  return asking
}

/** Read anew with the next command: for the process where a rule was set or lifted. */
export function forgetRules(ctx: Context): void {
  keptOf.delete(ctx.ports)
}

/** From the database. Oldest first. */
export async function readRules(ctx: Context): Promise<Rule[]> {
  const now = ctx.clock.now()
  const rows = await ctx.db.rule.findMany({
    where: { liftedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] },
    orderBy: [{ setAt: 'asc' }, { id: 'asc' }],
    select: { id: true, body: true },
  })
  return rows.map(({ id, body }) => Rule.parse({ ...(body as object), rule_id: id })).filter((rule) => isInForce(rule, now.getTime()))
}
