/**
 * `npm run demo`: three goals through the public doors, from posted to paid or refunded, and a proof from outside that
 * transcript, chain and ledger agree. `-- --url http://localhost:3000` takes a Parley that is running (`--rpc` its chain's
 * own node; left out, the web passes the questions on); without it one is started, and ended afterwards. `-- --mode copilot`
 * (`deterministic`, `model`, `hybrid`, `all`) runs the first goal in that mode; with `--record` the conversation is written to
 * `docs/dawn/`. `--nested`: one goal in place of the three, whose analyst hires two others out of its step. `--goals`: twelve goals of
 * everyday work in three languages.
 */
import { parseArgs } from 'node:util'
import { canonicalBytes, type Json } from '@parley/protocol'
import { type Chain, openChain } from './chain.ts'
import { checkMoney, onEscrow } from './check-money.ts'
import { checkTranscript, type Transcript, withRooms } from './check-transcript.ts'
import { type DemoClient, postAndFund, signIn, teamApproval } from './client.ts'
import { clientWord } from './copilot-client.ts'
import { type DemoInstallation, findPorts, startDemoInstallation } from './demo-installation.ts'
import { everydayGoals } from './everyday-goals.ts'
import { type Followed, followGoal } from './follow-goal.ts'
import { type DemoGoal, demoGoals, nestedGoal } from './goals.ts'
import { goalIn, type Model, modeFaults, modelFor, planIn, readModes } from './modes.ts'
import { writeRecord } from './record.ts'
import { amountText, oneLine, paint, print, title } from './screen.ts'

const goalTimeoutMs = 300_000
const agentsTimeoutMs = 60_000
const bookTimeoutMs = 15_000

type Figures = {
  seconds: number
  messages: number
  bytes: number
  paid: string
  fee: string
  refunded: string
  settled_tx: string | null
  planned?: string | null
  asks?: number
}
type Outcome = { readonly figures: Figures; readonly faults: readonly string[]; readonly token: `0x${string}` }

async function runGoal(client: DemoClient, chain: Chain, goal: DemoGoal, model: Model | null): Promise<Outcome> {
  title(`${goal.title} (${amountText(goal.budget)})`)
  print(`  ${oneLine(goal.text, 200)}`)
  const begun = performance.now()
  const posted = await postAndFund(client, goal)
  print(paint('dim', `  ${client.webUrl}/goals/${posted.goalId}`))
  const before = model?.asked() ?? 0
  const approve = teamApproval(client, posted)
  const confirm = goal.planner === 'copilot' ? clientWord(client, posted.goalId) : undefined
  const word = async (run: Parameters<typeof approve>[0]) => {
    await approve(run)
    await confirm?.(run)
  }
  const followed = await followGoal(client, posted, goalTimeoutMs, word)
  const asked = (model?.asked() ?? 0) - before
  const seconds = Number(((performance.now() - begun) / 1_000).toFixed(1))

  const money = await client.api.settlement.getMoney.query({ goal_id: posted.goalId })
  print(paint('bold', '  Money'))
  for (const line of money.waterfall)
    print(`    ${amountText(line.amount).padStart(16)}  ${line.label}  ${paint('dim', `${line.address} ${line.tx ?? ''}`)}`)

  const serverDid = followed.run.participants.find((one) => one.role === 'server')?.did ?? ''
  const transcript = withRooms(await checkTranscript(followed.messages, serverDid), await checkRooms(client, followed, serverDid))
  const check = await checkMoney(money, { planId: posted.planId, client: client.address, budget: goal.budget }, transcript, chain)
  const ofMode = model && goal.planner ? modeFaults(goal.planner, followed, asked, model) : []
  const faults = [...unexpected(goal, followed), ...ofMode, ...transcript.faults, ...check.faults]
  print(
    faults.length === 0
      ? paint(
          'green',
          `  Proven from outside: ${followed.messages.length} signatures, the hash that ${check.settledTx} carries, every balance it moved.`,
        )
      : paint('red', `  ${faults.length} things differ.`),
  )
  for (const fault of faults) print(paint('red', `    ${fault}`))
  if (options.record && goal.planner && faults.length === 0) {
    const summary = { seconds, paid: amountText(check.paid), fee: amountText(check.fee), refunded: amountText(check.refunded) }
    print(`  Recorded in ${await writeRecord(goal, followed, model?.name ?? 'unknown', summary)}.`)
  }
  return {
    token: onEscrow(money.hold).token,
    faults: faults.map((fault) => `${goal.name}: ${fault}`),
    figures: {
      seconds,
      messages: followed.messages.length,
      bytes: followed.messages.reduce((sum, message) => sum + canonicalBytes(message as Json).length, 0),
      paid: amountText(check.paid),
      fee: amountText(check.fee),
      refunded: amountText(check.refunded),
      settled_tx: check.settledTx,
      ...(model && { planned: planIn(followed)?.mode ?? null, asks: asked }),
    },
  }
}

/** The rooms of sub-teams, read whole and proved as the goal's own is; who hired whom is printed. */
async function checkRooms({ api }: DemoClient, { run }: Followed, serverDid: string): Promise<Transcript[]> {
  const nameOf = (agentId: string) => run.participants.find((one) => one.agentId === agentId)?.name ?? agentId
  const transcripts: Transcript[] = []
  for (const room of run.rooms) {
    const hired = run.steps.filter((step) => step.roomId === room.roomId)
    print(paint('bold', `  ${nameOf(room.agentId)} hired a team for step ${room.step}`))
    for (const step of hired) print(`    ${step.step}. ${step.title}: ${nameOf(step.agentId)}, ${amountText(step.amount)}`)
    const messages = await api.conversations.list.query({ room_id: room.roomId as never, after: 0, limit: 200 })
    transcripts.push(await checkTranscript(messages, serverDid))
  }
  return transcripts
}

/** The work itself: the end that was to come, the files, and what they must say. */
function unexpected({ expected }: DemoGoal, { goal, files, run }: Followed): string[] {
  const faults = goal.state === expected.state ? [] : [`the goal ended ${goal.state}, not ${expected.state}`]
  const hired = run.steps.filter((step) => step.roomId !== null && step.state === 'paid').length
  if (hired !== (expected.hired ?? 0)) faults.push(`${hired} steps of sub-teams are paid, not ${expected.hired ?? 0}`)
  for (const [type, patterns] of Object.entries(expected.files)) {
    const text = files.get(type)
    if (text === undefined) faults.push(`there is no ${type}`)
    else faults.push(...patterns.filter((pattern) => !pattern.test(text)).map((pattern) => `the ${type} has no ${pattern.source}`))
  }
  return faults
}

const everySkill =
  'I want to know the annual revenue of Microsoft from 2014 to 2020. Please draw a chart in text and as an SVG picture, and write a report'
const wishOf = ({ text, attachments }: DemoGoal) => ({
  text,
  files: attachments.map(({ content, ...file }) => ({ ...file, head: Buffer.from(content, 'base64').toString(), is_whole: true })),
})

/** Agents come online in their own time: waits until there is a plan with all the outputs that the goals want. */
async function waitForAgents({ api }: DemoClient, goals: readonly DemoGoal[]): Promise<void> {
  const wishes = goals === everydayGoals ? goals.map(wishOf) : [{ text: everySkill }]
  let planned = 0
  for (const deadline = Date.now() + agentsTimeoutMs; ; await pause(500)) {
    const { quote } = await api.goals.quote.mutate(wishes[planned] ?? { text: everySkill })
    if (quote.outcome === 'planned' && quote.leftOut.length === 0) planned += 1
    if (planned === wishes.length) return
    if (Date.now() > deadline) throw new Error(`There is no plan for the goals: ${JSON.stringify(quote, (_, value) => String(value))}.`)
  }
}

type Gift = { readonly amount: bigint; readonly tx: string }

async function takeMoney({ api }: DemoClient): Promise<Gift> {
  const { amount, tx } = await api.market.faucet.mutate()
  const deadline = Date.now() + bookTimeoutMs
  while (BigInt((await api.market.getBalance.query()).tokens) < BigInt(amount)) {
    if (Date.now() > deadline) throw new Error(`The test money of ${tx} has not arrived.`)
    await pause(200)
  }
  return { amount: BigInt(amount), tx }
}

/** The client's wallet after everything, against what it was given and all that the ledger moved; then the market's own comparison. */
async function checkBooks(client: DemoClient, chain: Chain, token: `0x${string}`, gift: Gift): Promise<string[]> {
  const faults: string[] = []
  const { address, api } = client
  const minted = await chain.transfersOf(gift.tx as `0x${string}`, token)
  const given = minted.filter((move) => move.to === address).reduce((sum, move) => sum + move.amount, 0n)
  const { ledger } = await api.settlement.getMine.query()
  const moved = ledger
    .flatMap((transfer) => transfer.entries)
    .filter((entry) => entry.account === `client:${address}`)
    .reduce((sum, entry) => sum + entry.debit - entry.credit, 0n)
  const balance = await chain.balanceOf(token, address)
  if (given !== gift.amount) faults.push(`the chain gave the client ${given}, the web says ${gift.amount}`)
  if (balance !== given + moved) faults.push(`the client holds ${balance} on chain; by the ledger it is ${given + moved}`)
  print(`  The client holds ${amountText(balance)}: ${amountText(given)} given, ${amountText(moved)} moved by the ledger.`)
  // On a market where others trade, the chain may be a moment ahead of the books.
  for (const deadline = Date.now() + bookTimeoutMs; ; await pause(500)) {
    const books = await api.settlement.reconcile.query()
    const differing = [...books.onlyLedger, ...books.onlyChain, ...books.differing.map((one) => one.key), ...books.heldDiffering]
    if (differing.length === 0 && books.heldInLedger === books.heldOnChain) {
      print(`  Ledger and chain agree on ${books.matched} transfers; open plans hold ${amountText(books.heldOnChain)}.`)
      return faults
    }
    if (Date.now() > deadline) return [...faults, `ledger and chain differ in ${differing.join(', ') || 'what open plans hold'}`]
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms)
  })
}

type Report = { readonly figures: { readonly [goal: string]: Figures }; readonly faults: readonly string[] }

async function runDemo(webUrl: string, rpcUrl: string, goals: readonly DemoGoal[], model: Model | null): Promise<Report> {
  const chain = openChain(rpcUrl)
  const client = await signIn(webUrl, chain)
  await waitForAgents(client, goals)
  const gift = await takeMoney(client)
  print(`\nA fresh wallet ${client.address} is signed in and holds ${amountText(gift.amount)} of test money.`)
  const figures: { [goal: string]: Figures } = {}
  const faults: string[] = []
  let token: `0x${string}` | null = null
  for (const goal of goals) {
    const outcome = await runGoal(client, chain, goal, model)
    figures[goal.name] = outcome.figures
    faults.push(...outcome.faults)
    token = outcome.token
  }
  title('The books afterwards')
  if (token) faults.push(...(await checkBooks(client, chain, token, gift)))
  return { figures, faults }
}

const { values: options } = parseArgs({
  options: {
    url: { type: 'string' },
    rpc: { type: 'string' },
    mode: { type: 'string', multiple: true },
    record: { type: 'boolean' },
    nested: { type: 'boolean' },
    goals: { type: 'boolean' },
  },
})
let own: DemoInstallation | null = null
let ending: Promise<void> | null = null

function end(code: number): void {
  ending ??= (own?.stop({ keep: code !== 0 }) ?? Promise.resolve()).finally(() => process.exit(code))
}

for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect'] as const) process.on(name, () => end(130))

async function main(): Promise<Report> {
  const modes = readModes(options.mode ?? [])
  const goals = options.goals ? everydayGoals : options.nested ? [nestedGoal] : modes.length > 0 ? modes.map(goalIn) : demoGoals
  if (options.url) {
    // What its principal asks is its own affair.
    const webUrl = options.url.replace(/\/$/, '')
    return runDemo(webUrl, options.rpc ?? `${webUrl}/api/chain`, goals, null)
  }
  const model = modes.length > 0 ? await modelFor(modes, process.env) : null
  own = startDemoInstallation(await findPorts(), model?.env)
  const { webUrl, rpcUrl } = await own.ready
  return runDemo(webUrl, rpcUrl, goals, model).finally(() => model?.stop())
}

const report = await main().catch((error: unknown): Report => {
  if (!ending) print(paint('red', `\n${error instanceof Error ? error.message : String(error)}`))
  return { figures: {}, faults: [error instanceof Error ? error.message : String(error)] }
})
if (!ending) {
  for (const fault of report.faults) print(paint('red', `differs: ${fault}`))
  const ok = report.faults.length === 0
  process.once('exit', () => print(JSON.stringify({ name: 'demo', ok, figures: report.figures, ...(ok ? {} : { faults: report.faults }) })))
  end(ok ? 0 : 1)
}
