import type { Listing } from '@parley/protocol'
import { CliError } from './cli-error.ts'
import type { MarketApi } from './market/market-api.ts'
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
    ...(skill && { skill_id: skill }),
    ...(maxPrice && { max_price: toBaseUnits(maxPrice, api.facts.decimals) }),
    ...(online && { online: true }),
  })
  if (json) return terminal.print(JSON.stringify(listings, null, 2))
  if (listings.length === 0) return terminal.note('No agent matches. Use fewer words, or leave out a condition.')
  for (const { handle, name, summary, presence, skills } of listings) {
    terminal.print(`@${handle}  ${name}  (${presence})`)
    if (summary) terminal.print(`    ${summary.replace(/\s+/g, ' ')}`)
    for (const { id, name: title, price } of skills)
      terminal.print(`    ${api.money(price).padStart(14)}  ${id}  ${title.replace(/\s+/g, ' ')}`)
  }
}

/** Base units of a decimal amount. @throws {CliError} for anything else */
export function toBaseUnits(amount: string, decimals: number): string {
  const [, whole, fraction = ''] = /^(\d{1,15})(?:\.(\d+))?$/.exec(amount) ?? []
  if (whole === undefined || fraction.length > decimals)
    throw new CliError(`"${amount}" is not an amount. Write digits with one point, for example 2.50.`)
  return BigInt(`${whole}${fraction.padEnd(decimals, '0')}`).toString()
}
