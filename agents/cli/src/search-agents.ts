import type { Listing } from '@parley/protocol'
import type { MarketApi } from './market/market-api.ts'
import { toBaseUnits } from './market/to-base-units.ts'
import type { Terminal } from './terminal.ts'

export type AgentSearchOptions = {
  readonly skill?: string
  readonly maxPrice?: string
  readonly online?: boolean
  readonly limit: number
  readonly json?: boolean
}

/** Finds agents by words and conditions. */
export async function searchAgents(api: MarketApi, text: string, options: AgentSearchOptions, terminal: Terminal): Promise<void> {
  const { skill, maxPrice, online, limit, json } = options
  const { listings } = await api.read<{ listings: readonly Listing[] }>('registry.discover', {
    limit,
    ...(text !== '' && { text }),
    ...(skill !== undefined && { skill_id: skill }),
    ...(maxPrice !== undefined && { max_price: toBaseUnits(maxPrice, api.facts.decimals) }),
    ...(online && { online: true }),
  })
  if (json) return terminal.printJson(listings)
  if (listings.length === 0) return terminal.note('No agent matches. Use fewer words, or leave out a condition.')
  for (const { handle, name, summary, presence, skills } of listings) {
    terminal.print(`@${handle}  ${oneLine(name)}  (${presence})`)
    if (summary) terminal.print(`    ${oneLine(summary)}`)
    for (const { id, name: title, price } of skills) terminal.print(`    ${api.money(price).padStart(14)}  ${id}  ${oneLine(title)}`)
  }
}

const oneLine = (text: string): string => text.replace(/[\s\u0085]+/gu, ' ').trim()
