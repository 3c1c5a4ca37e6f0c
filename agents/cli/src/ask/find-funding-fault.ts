import { findFundingMismatch, type PreparedFunding, type SignedQuote } from '@parley/protocol'

type Approved = { readonly quote: SignedQuote; readonly chainId: number; readonly escrow: string; readonly client: string }

const same = (a: unknown, b: unknown) => String(a).toLowerCase() === String(b).toLowerCase()

/** Why the signature would move other money than the quote says; null if it would not. Nothing is signed with a fault. */
export async function findFundingFault(funding: PreparedFunding, approved: Approved): Promise<string | null> {
  const { terms, charter } = funding
  const { quote, client, escrow } = approved
  const message = funding.typedData.message as { readonly [field: string]: unknown }
  if (!same(message.to, escrow)) return 'The money would go to another contract than the escrow.'
  if (!same(message.from, client) || !same(terms.client, client)) return 'The money would come from another wallet.'
  if (String(message.value) !== quote.min_budget || String(terms.total) !== quote.min_budget) return 'The amount is not that of the quote.'
  if (charter === null) return 'The terms name no team.'
  const mismatch = await findFundingMismatch(funding, approved)
  if (mismatch === 'payment') return 'The signature is for other terms than the shown ones.'
  if (mismatch === 'team') return 'The terms name another team than the shown one.'
  const asked = (quote.steps ?? []).map(({ agent_id, payee, price }) => `${agent_id} ${payee} ${price}`.toLowerCase()).sort()
  const named = charter.steps.map(({ agent_id, payee, amount }) => `${agent_id} ${payee} ${amount}`.toLowerCase()).sort()
  return asked.join('\n') === named.join('\n') ? null : 'The team has other agents, payees or amounts than the quote.'
}
