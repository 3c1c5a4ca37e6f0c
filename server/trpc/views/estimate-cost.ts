import type { Listing } from '@parley/protocol'

export type PricedSkill = { readonly agentId: string; readonly agentName: string; readonly skillId: string; readonly price: bigint }
export type EstimateLine = {
  readonly skillId: string
  readonly name: string
  readonly offers: readonly PricedSkill[]
  readonly low: bigint
  readonly likely: bigint
  readonly high: bigint
}
export type CostEstimate = {
  readonly lines: readonly EstimateLine[]
  readonly low: bigint
  readonly likely: bigint
  readonly high: bigint
  /** Wanted types that no listing can produce from the given ones. */
  readonly missing: readonly string[]
}

/** The skill of planners. */
const planSkill = 'goal.plan'

/** Types that a planner can write itself, from the goal's text. */
const written = ['query.figures', 'goal.criteria']

/**
 * The cost of the wanted outputs at listed prices: from each output back to a skill that makes it and to its inputs, until everything is
 * available. Only an estimate; the planner decides within the budget.
 */
export function estimateCost(listings: readonly Listing[], wanted: readonly string[], atHand: readonly string[]): CostEstimate {
  const have = new Set([...written, ...atHand])
  const lines = new Map<string, EstimateLine>()
  const missing = new Set<string>()
  const isWithin = (type: string, asked: string) => type === asked || type.startsWith(`${asked}.`)

  function need(asked: string, path: readonly string[]): boolean {
    if ([...have].some((type) => isWithin(type, asked))) return true
    if (path.includes(asked)) return false
    const candidates = listings.flatMap((listing) =>
      listing.skills.filter((skill) => skill.outputs.some((port) => isWithin(port.type, asked))).map((skill) => ({ listing, skill })),
    )
    // Prefer a skill that uses the client's attachments, then the one with most offers.
    const bySkill = Map.groupBy(candidates, (one) => one.skill.id)
    const usesAttached = (offers: typeof candidates) => (offers[0]?.skill.inputs.some((port) => atHand.includes(port.type)) ? 1 : 0)
    const ranked = [...bySkill.values()].sort(
      (a, b) =>
        usesAttached(b) - usesAttached(a) || b.length - a.length || (a[0]?.skill.inputs.length ?? 0) - (b[0]?.skill.inputs.length ?? 0),
    )
    for (const offers of ranked) {
      const [first] = offers
      if (!first) continue
      const before = new Map(lines)
      const inputs = first.skill.inputs.filter((port) => !port.optional)
      if (inputs.every((port) => need(port.type, [...path, asked]))) {
        lines.set(first.skill.id, lineOf(first.skill.name, offers))
        have.add(asked)
        for (const port of first.skill.outputs) have.add(port.type)
        return true
      }
      lines.clear()
      for (const [key, line] of before) lines.set(key, line)
    }
    return false
  }

  for (const asked of wanted) if (!need(asked, [])) missing.add(asked)
  // The planner that leads the goal is paid too.
  const planners = listings.flatMap((listing) =>
    listing.skills.filter((skill) => skill.id === planSkill).map((skill) => ({ listing, skill })),
  )
  const [planner] = planners
  if (planner && lines.size > 0) lines.set(planSkill, lineOf(planner.skill.name, planners))
  const all = [...lines.values()]
  const sum = (pick: (line: EstimateLine) => bigint) => all.reduce((total, line) => total + pick(line), 0n)
  return {
    lines: all,
    low: sum((line) => line.low),
    likely: sum((line) => line.likely),
    high: sum((line) => line.high),
    missing: [...missing],
  }
}

function lineOf(name: string, offers: readonly { listing: Listing; skill: Listing['skills'][number] }[]): EstimateLine {
  const priced = offers
    .map(({ listing, skill }) => ({ agentId: listing.agent_id, agentName: listing.name, skillId: skill.id, price: BigInt(skill.price) }))
    .sort((a, b) => (a.price < b.price ? -1 : a.price > b.price ? 1 : 0))
  const at = (index: number) => priced[index]?.price ?? 0n
  return {
    skillId: priced[0]?.skillId ?? '',
    name,
    offers: priced,
    low: at(0),
    likely: at(Math.floor((priced.length - 1) / 2)),
    high: at(priced.length - 1),
  }
}
