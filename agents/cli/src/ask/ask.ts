import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import {
  type ArtifactRef,
  type DeliveredEnvelope,
  formatQuoteLines,
  type PreparedFunding,
  type SignedQuote,
  sha256,
  uuidv7,
} from '@parley/protocol'
import type { PrivateKeyAccount } from 'viem/accounts'
import { CliError } from '../cli-error.ts'
import type { MarketApi } from '../market/market-api.ts'
import { toBaseUnits } from '../search-agents.ts'
import type { Terminal } from '../terminal.ts'
import { type AttachedFile, readAttachedFiles, toQuoteFile } from './attached-files.ts'
import { findFundingFault } from './find-funding-fault.ts'

export type AskOptions = {
  readonly attach: readonly string[]
  /** Decimal amount, fee included. */
  readonly budget?: string
  /** Approves the plan and its price without a question. */
  readonly yes?: boolean
  /** Accepts and pays the delivery without a question. */
  readonly accept?: boolean
  /** Only the quote. */
  readonly quoteOnly?: boolean
  readonly json?: boolean
  /** The folder for the files of the answer. */
  readonly out: string
}
export type AskTools = { readonly api: MarketApi; readonly terminal: Terminal; readonly wallet: () => Promise<PrivateKeyAccount> }

type Goal = { readonly id: string; readonly roomId: string; readonly state: string; readonly outcome: string | null }
type Posted = { readonly goal_id: string; readonly room_id: string }

const workHours = 1
const reviewHours = 24
const lookEveryMs = 1_000
const ended = ['paid', 'refunded', 'canceled']

/** Asks the market: quote, approval, payment into the escrow, delivery, acceptance. @throws {CliError} if nothing is bought */
export async function ask(text: string, options: AskOptions, tools: AskTools): Promise<void> {
  const { api, terminal } = tools
  const files = await readAttachedFiles(options.attach)
  const quote = await api.post<SignedQuote>('/v1/quotes', {
    text,
    files: files.map(toQuoteFile),
    ...(options.budget && { budget: toBaseUnits(options.budget, api.facts.decimals) }),
  })
  if (options.json && (options.quoteOnly || quote.outcome !== 'planned')) terminal.print(JSON.stringify(quote, null, 2))
  else for (const line of formatQuoteLines(quote, api.money)) (options.quoteOnly ? terminal.print : terminal.note)(line)
  if (quote.outcome === 'over_budget')
    throw new CliError(`The plan costs more than the budget. It needs ${api.money(quote.min_budget ?? '0')}.`, 2)
  if (quote.outcome !== 'planned') throw new CliError('Nothing was bought.', 2)
  if (options.quoteOnly) return
  if (!options.yes && !(await terminal.confirm(`Set aside ${api.money(quote.min_budget ?? '0')} and start?`)))
    throw new CliError('Nothing was bought.', 2)
  const posted = await postAndFund({ text, quote, files }, tools)
  terminal.note(`Started: ${api.facts.public_url}/goals/${posted.goal_id}`)
  const goal = await waitFor(posted, tools, ['review', ...ended])
  await deliver(goal, posted, options, tools)
}

type Order = { readonly text: string; readonly quote: SignedQuote; readonly files: readonly AttachedFile[] }

async function postAndFund({ text, quote, files }: Order, { api, wallet }: AskTools): Promise<Posted> {
  const account = await wallet()
  const posted = await api.command<Posted>({
    type: 'goal.post',
    id: uuidv7(Date.now(), randomBytes(10)),
    goal: {
      text,
      criteria: (quote.criteria?.length ? quote.criteria : ['The answer is complete and correct.']).map((one) => ({ text: one })),
      budget: quote.min_budget,
      deadline: new Date(Date.now() + workHours * 3_600_000).toISOString(),
      review_hours: reviewHours,
    },
    attachments: files,
    quote,
  })
  const funding = await api.read<PreparedFunding>('settlement.getFunding', { goal_id: posted.goal_id })
  const { chain_id: chainId, escrow } = api.facts
  const fault = await findFundingFault(funding, { quote, chainId, escrow, client: account.address })
  if (fault !== null) throw new CliError(`${fault} Nothing was signed, and no money moved.`)
  const signature = await account.signTypedData(funding.typedData as never)
  await api.command({ type: 'hold.authorize', goal_id: posted.goal_id, signature })
  return posted
}

async function waitFor({ goal_id }: Posted, { api, terminal }: AskTools, states: readonly string[]): Promise<Goal> {
  const deadline = Date.now() + (workHours + 1) * 3_600_000
  let shown = ''
  for (;;) {
    const goal = await api.read<Goal>('goals.get', { goal_id })
    if (goal.state !== shown) terminal.note(`  ${goal.state}`)
    shown = goal.state
    if (states.includes(goal.state)) return goal
    if (Date.now() > deadline) throw new CliError(`The goal is still ${goal.state}. Look at ${api.facts.public_url}/goals/${goal_id}.`)
    await pause(lookEveryMs)
  }
}

async function deliver(goal: Goal, posted: Posted, options: AskOptions, tools: AskTools): Promise<void> {
  const { api, terminal } = tools
  const answer = await readAnswer(posted, options.out, tools)
  if (options.json) terminal.print(JSON.stringify({ goal_id: posted.goal_id, outcome: goal.outcome, ...answer }, null, 2))
  else {
    if (answer.text !== '') terminal.print(answer.text)
    for (const file of answer.files) terminal.print(file)
  }
  if (goal.state !== 'review' || goal.outcome !== 'delivered')
    throw new CliError(`The goal was not delivered (${goal.state}). What was not earned is refunded.`)
  if (!options.accept && !(await terminal.confirm('Accept and pay?')))
    return terminal.note(`Review it within ${reviewHours} hours: ${api.facts.public_url}/goals/${posted.goal_id}`)
  await api.command({ type: 'task.accept', goal_id: posted.goal_id })
  const { state } = await waitFor(posted, tools, ended)
  if (state !== 'paid') throw new CliError(`The goal is ${state}.`)
}

type Answer = { readonly text: string; readonly files: readonly string[] }

/** The conclusion's words, and its files, saved below `out` and checked against their hashes. */
async function readAnswer({ goal_id, room_id }: Posted, out: string, { api }: AskTools): Promise<Answer> {
  const messages = await api.read<readonly DeliveredEnvelope[]>('conversations.list', { room_id, after: 0, limit: 500 })
  const parts = messages.findLast((message) => message.type === 'conclusion')?.parts ?? []
  const artifacts = parts.flatMap(({ artifact }) => artifact ?? []).filter(({ artifact_type }) => artifact_type !== 'answer.bundle')
  const files: string[] = []
  for (const artifact of artifacts) files.push(await saveFile(api, { goal_id, artifact, out }))
  return { text: parts.flatMap((part) => part.text ?? []).join('\n'), files }
}

async function saveFile(api: MarketApi, file: { goal_id: string; artifact: ArtifactRef; out: string }): Promise<string> {
  const { goal_id, artifact, out } = file
  const response = await api.fetchFromWeb(`/api/artifacts/${goal_id}/${artifact.sha256}`)
  const bytes = new Uint8Array(await response.arrayBuffer())
  if ((await sha256(bytes)) !== artifact.sha256) throw new CliError(`The file ${artifact.name} is not the one that its hash names.`)
  await mkdir(out, { recursive: true })
  // Names come from agents, so only their last part is used.
  const target = path.join(out, path.basename(artifact.name))
  await writeFile(target, bytes)
  return target
}
