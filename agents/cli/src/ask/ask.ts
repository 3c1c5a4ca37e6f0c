import { randomBytes } from 'node:crypto'
import { access, constants, mkdir } from 'node:fs/promises'
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
import { toBaseUnits } from '../market/to-base-units.ts'
import { requireConfirmation, type Terminal } from '../terminal.ts'
import { type AttachedFile, readAttachedFiles, toQuoteFile } from './attached-files.ts'
import { findFundingFault } from './find-funding-fault.ts'
import { saveAnswerFile } from './save-answer-file.ts'
import { type AskedGoal, waitForGoal } from './wait-for-goal.ts'

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

type Posted = { readonly goal_id: string; readonly room_id: string }

const workMs = 3_600_000
const reviewHours = 24
const ended = ['paid', 'refunded', 'canceled']
/** Messages of one request. */
const pageLength = 500

/** Asks the market: quote, approval, payment into the escrow, delivery, acceptance. @throws {CliError} if nothing is bought */
export async function ask(text: string, options: AskOptions, tools: AskTools): Promise<void> {
  const { api, terminal } = tools
  if (text.trim() === '') throw new CliError('The question is empty. Write what you need: parley ask "What is 15% of 240?"')
  const files = await readAttachedFiles(options.attach)
  if (!options.quoteOnly) await requireFolder(options.out)
  const quote = await api.post<SignedQuote>('/v1/quotes', {
    text,
    files: files.map(toQuoteFile),
    ...(options.budget !== undefined && { budget: toBaseUnits(options.budget, api.facts.decimals) }),
  })
  showQuote(quote, options, tools)
  if (quote.outcome === 'over_budget')
    throw new CliError(`The plan costs more than the budget. It needs ${api.money(quote.min_budget ?? '0')}.`, { exitCode: 2 })
  if (quote.outcome !== 'planned') throw new CliError('Nothing was bought.', { exitCode: 2 })
  if (options.quoteOnly) return
  if (!options.yes) await requireConfirmation(terminal, `Set aside ${api.money(quote.min_budget ?? '0')} and start?`, '--yes')
  const posted = await postAndFund({ text, quote, files }, tools)
  const page = `${api.facts.public_url}/goals/${posted.goal_id}`
  terminal.note(`Started: ${page}`)
  terminal.onInterrupt = `The goal goes on without this program: ${page}`
  await finish(posted, options, tools).catch((error: unknown) => {
    throw error instanceof CliError ? new CliError(`${error.message} The goal: ${page}`, { ...error, exitCode: 1 }) : error
  })
}

function showQuote(quote: SignedQuote, { json, quoteOnly }: AskOptions, { api, terminal }: AskTools): void {
  if (json && (quoteOnly || quote.outcome !== 'planned')) terminal.printJson(quote)
  else for (const line of formatQuoteLines(quote, api.money)) (quoteOnly ? terminal.print : terminal.note)(line)
}

/** The folder of the answer, before anything is bought. */
async function requireFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true })
    await access(folder, constants.W_OK)
  } catch (error) {
    throw new CliError(`Files cannot be saved in ${folder}: ${(error as NodeJS.ErrnoException).code}. Name another folder with --out.`)
  }
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
      deadline: new Date(Date.now() + workMs).toISOString(),
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
  await api.command({ type: 'hold.authorize', goal_id: posted.goal_id, signature }).catch(async (error: unknown) => {
    // A refused payment leaves a goal without money. If the answer was lost, the payment may have been taken.
    if (error instanceof CliError && !error.isTemporary) await api.command({ type: 'goal.cancel', goal_id: posted.goal_id }).catch(() => {})
    throw error
  })
  return posted
}

async function finish(posted: Posted, options: AskOptions, tools: AskTools): Promise<void> {
  const { api, terminal } = tools
  const until = Date.now() + 2 * workMs
  const goal = await waitForGoal(posted.goal_id, ['review', ...ended], until, tools)
  showAnswer(goal, await readAnswer(posted, options.out, tools), options, terminal)
  if (goal.outcome !== 'delivered') throw new CliError(`The goal was not delivered (${goal.state}). What was not earned is refunded.`)
  if (goal.state === 'paid') return
  if (goal.state !== 'review') throw new CliError(`The goal is ${goal.state}.`)
  if (!options.accept && !(terminal.canAsk && (await terminal.confirm('Accept and pay?'))))
    return terminal.note(`Review it within ${reviewHours} hours: ${api.facts.public_url}/goals/${posted.goal_id}`)
  await api.command({ type: 'task.accept', goal_id: posted.goal_id })
  const { state } = await waitForGoal(posted.goal_id, ended, until, { ...tools, shown: goal.state })
  if (state !== 'paid') throw new CliError(`The goal is ${state}.`)
}

type Answer = { readonly text: string; readonly files: readonly string[] }

function showAnswer({ id, outcome }: AskedGoal, answer: Answer, { json }: AskOptions, terminal: Terminal): void {
  const { text, files } = answer
  if (json) terminal.printJson({ goal_id: id, outcome, text, files })
  else for (const line of [...(text === '' ? [] : [text]), ...files]) terminal.print(line)
}

/** The conclusion's words, and its files, saved below `out` and checked against their hashes. */
async function readAnswer({ goal_id, room_id }: Posted, out: string, { api }: AskTools): Promise<Answer> {
  const parts = (await readConclusion(api, room_id))?.parts ?? []
  const artifacts = parts.flatMap(({ artifact }) => artifact ?? []).filter(({ artifact_type }) => artifact_type !== 'answer.bundle')
  const files: string[] = []
  for (const artifact of artifacts) files.push(await saveFile(api, { goal_id, artifact, out }))
  return { text: parts.flatMap((part) => part.text ?? []).join('\n'), files }
}

async function readConclusion(api: MarketApi, room_id: string): Promise<DeliveredEnvelope | undefined> {
  let last: DeliveredEnvelope | undefined
  for (let after = 0; ; ) {
    const page = await api.read<readonly DeliveredEnvelope[]>('conversations.list', { room_id, after, limit: pageLength })
    last = page.findLast(({ type }) => type === 'conclusion') ?? last
    const end = page.at(-1)
    if (page.length < pageLength || end === undefined) return last
    after = end.seq
  }
}

async function saveFile(api: MarketApi, file: { goal_id: string; artifact: ArtifactRef; out: string }): Promise<string> {
  const { goal_id, artifact, out } = file
  const response = await api.fetchFromWeb(`/api/artifacts/${goal_id}/${artifact.sha256}`)
  const bytes = new Uint8Array(await response.arrayBuffer())
  if ((await sha256(bytes)) !== artifact.sha256) throw new CliError(`The file ${artifact.name} is not the one that its hash names.`)
  return saveAnswerFile(out, artifact.name, bytes)
}
