import type { Listing } from '@parley/protocol'
import { quoteGoal } from '../../../../../agents/builtin/planner/quote/quote-goal.ts'
import { builtinMarket, idOf } from '../../market.ts'

const listings = builtinMarket() as Listing[]
const planner = { agent_id: idOf('agt', 'house-principal'), price: 1_000_000n }

const mediaTypes: Readonly<Record<string, string>> = { csv: 'text/csv', json: 'application/json' }

/** The texts of the suggestions for a goal with files, each of which the ordinary planner plans. */
export function suggestedTexts(text: string, ...files: readonly (readonly [name: string, text: string])[]): string[] {
  const attachments = files.map(([name], index) => ({
    ...{ sha256: String(index), name, size: 0, media_type: mediaTypes[name.split('.').pop() ?? ''] ?? 'text/plain' },
    artifact_type: name.endsWith('.csv') ? 'table.csv' : 'file.any',
  }))
  const heads = Object.fromEntries(files.map(([, head], index) => [String(index), { text: head, isWhole: true }]))
  const goal = { text, criteria: [], attachments, heads, answers: [] }
  const quote = quoteGoal({ goal, listings, planner, payable: null, decimals: 6, isSuggesting: true })
  return 'suggestions' in quote ? quote.suggestions.map((one) => one.text) : []
}
