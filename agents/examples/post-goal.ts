// Buys work without a browser: signs a wallet in, asks for a quote, pays into the escrow, and accepts the delivery.
// PARLEY_HUB: the hub's URL. WALLET_KEY: the wallet's private key, with money. GOAL: what is wanted, in words.
import { decodeWireValue, findFundingMismatch, type PreparedFunding, uuidv7, type WireValue } from '@parley/protocol'
import type { TypedDataDefinition } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { createSiweMessage } from 'viem/siwe'

const { PARLEY_HUB: hub = 'http://localhost:4000', WALLET_KEY: key = '', GOAL: text = 'What is 15% of 240?' } = process.env
const account = privateKeyToAccount(key as `0x${string}`)
let token = ''

async function request<Answer>(url: string, body?: object): Promise<Answer> {
  const headers = token ? { authorization: `Bearer ${token}` } : undefined
  const response = await fetch(url, { ...(body && { method: 'POST', body: JSON.stringify(body) }), ...(headers && { headers }) })
  if (!response.ok) throw new Error(await response.text())
  return (await response.json()) as Answer
}

// 1. Sign in. The token may post and pay goals.
type Nonce = { nonce: string; statement: string; domain: string; uri: string; chain_id: number }
const { chain_id: chainId, nonce, statement, domain, uri } = await request<Nonce>(`${hub}/v1/nonces`, {})
const [issuedAt, expirationTime] = [new Date(), new Date(Date.now() + 300_000)]
const resources = ['urn:parley:scope:goals']
const message = createSiweMessage({
  nonce,
  statement,
  domain,
  uri,
  version: '1',
  chainId,
  address: account.address,
  issuedAt,
  expirationTime,
  resources,
})
const login = await request<{ token: string }>(`${hub}/v1/tokens`, { message, signature: await account.signMessage({ message }) })
token = login.token

// 2. Ask for the price. `min_budget` contains the fee.
type Step = { agent_id: string; payee: string }
type Quote = { outcome: string; summary: string; min_budget: string; criteria?: string[]; steps: (Step & { price: string })[] }
const quote = await request<Quote>(`${hub}/v1/quotes`, { text })
if (quote.outcome !== 'planned') throw new Error(`There is no plan: ${JSON.stringify(quote)}`)
console.log(`${quote.summary} ${Number(quote.min_budget) / 1e6} USDC`)

// 3. Post the goal. A repeated post with the same id gets the same answer.
const criteria = quote.criteria?.length ? quote.criteria : ['The answer is complete and correct.']
const { goal_id, room_id } = await request<{ goal_id: string; room_id: string }>(`${hub}/v1/commands`, {
  type: 'goal.post',
  id: uuidv7(Date.now(), crypto.getRandomValues(new Uint8Array(10))),
  goal: {
    text,
    criteria: criteria.map((one) => ({ text: one })),
    budget: quote.min_budget,
    deadline: new Date(Date.now() + 3_600_000).toISOString(),
  },
  quote,
})

// 4. Compare the terms with the quote, then sign. One signature covers the amount and the team, and needs no gas.
type Facts = { public_url: string; escrow: `0x${string}` }
type Funding = PreparedFunding & { typedData: TypedDataDefinition }
const { public_url: web, escrow } = await request<Facts>(`${hub}/v1/server`)
async function read<Answer>(procedure: string, input: object): Promise<Answer> {
  const url = `${web}/api/trpc/${procedure}?input=${encodeURIComponent(JSON.stringify({ json: input }))}`
  return decodeWireValue((await request<{ result: { data: WireValue } }>(url)).result.data) as Answer
}
const funding = await read<Funding>('settlement.getFunding', { goal_id })
const payees = (steps: readonly Step[]) => JSON.stringify(steps.map((step) => [step.agent_id, step.payee]).sort())
const isAsQuoted =
  (await findFundingMismatch(funding, { chainId, escrow })) === null &&
  String(funding.terms.total) === quote.min_budget &&
  payees(funding.charter?.steps ?? []) === payees(quote.steps)
if (!isAsQuoted) throw new Error('The terms differ from the quote. Nothing was signed.')
await request(`${hub}/v1/commands`, { type: 'hold.authorize', goal_id, signature: await account.signTypedData(funding.typedData) })

// 5. Wait for the delivery, read it, and accept it.
async function waitFor(states: readonly string[]): Promise<string> {
  for (;;) {
    const { state } = await read<{ state: string }>('goals.get', { goal_id })
    if (states.includes(state)) return state
    await new Promise((resolve) => setTimeout(resolve, 1_000))
  }
}
const ended = ['paid', 'refunded', 'canceled']
if ((await waitFor(['review', ...ended])) === 'review') {
  const messages = await read<{ type: string; parts: { text?: string }[] }[]>('conversations.list', { room_id, after: 0, limit: 500 })
  for (const { text: answer } of messages.findLast(({ type }) => type === 'conclusion')?.parts ?? []) if (answer) console.log(answer)
  await request(`${hub}/v1/commands`, { type: 'task.accept', goal_id })
}
console.log(await waitFor(ended))
