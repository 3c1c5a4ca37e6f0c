/** Runs goals through the public HTTP API, as a client without a browser does. */
import { setTimeout as pause } from 'node:timers/promises'
import { TRPCClientError } from '@trpc/client'
import { type DemoClient, fetchFile, postAndFund, teamApproval } from '../../test/demo/client.ts'
import type { DemoGoal } from '../../test/demo/goals.ts'
import type { GoalCase } from './goal-case.ts'
import type { GoalResult } from './tally-goals.ts'

type Attachment = DemoGoal['attachments'][number]

const goalTimeoutMs = 120_000
const agentsTimeoutMs = 120_000
const lookEveryMs = 250
const ended = ['paid', 'refunded', 'canceled']

/** Each client works through the goals one by one. The results have the order of the goals. */
export async function runGoals(clients: readonly DemoClient[], goals: readonly GoalCase[]): Promise<GoalResult[]> {
  const results: GoalResult[] = []
  let next = 0
  const work = async (client: DemoClient): Promise<void> => {
    for (let index = next++; index < goals.length; index = next++) {
      const goal = goals[index]
      if (goal) results[index] = await runOne(client, goal)
    }
  }
  await Promise.all(clients.map(work))
  return results
}

/** Goals that need each of the built-in agents. They connect in their own time. */
const probes = ['What is 2 + 2?', 'Sort: b, a', 'Plot the revenue of Apple from 2016 to 2020 as SVG and write a report']
const probeTable = attachmentOf('a.csv', 'name,amount\nx,1\n')

export async function waitForSkills(client: DemoClient): Promise<void> {
  const isPlanned = async (text: string, files: readonly Attachment[] = []) => {
    const { quote } = await readQuote(client, text, files)
    return 'steps' in quote && quote.leftOut.length === 0
  }
  for (const deadline = Date.now() + agentsTimeoutMs; ; await pause(1_000)) {
    const ready = [
      ...(await Promise.all(probes.map((text) => isPlanned(text)))),
      await isPlanned('What is the total amount?', [probeTable]),
    ]
    if (ready.every(Boolean)) return
    if (Date.now() > deadline) throw new Error('The built-in agents did not come online.')
  }
}

function attachmentOf(name: string, content: string): Attachment {
  const [media_type, artifact_type] = name.endsWith('.csv')
    ? ['text/csv', 'table.csv']
    : name.endsWith('.json') && isJson(content)
      ? ['application/json', 'table.json']
      : ['text/plain', 'document.text']
  return { name, media_type, artifact_type, content: Buffer.from(content).toString('base64') }
}

/** A broken JSON file is sent as text, as the web does. */
function isJson(content: string): boolean {
  try {
    JSON.parse(content)
    return true
  } catch {
    return false
  }
}

const readQuote = (client: DemoClient, text: string, files: readonly Attachment[]) =>
  patiently(() =>
    client.api.goals.quote.mutate({
      text,
      files: files.map(({ content, ...file }) => ({ ...file, head: Buffer.from(content, 'base64').toString(), is_whole: true })),
    }),
  )

async function runOne(client: DemoClient, goal: GoalCase): Promise<GoalResult> {
  const files = goal.files.map(({ name, content }) => attachmentOf(name, content))
  const begun = performance.now()
  const answer = await readQuote(client, goal.text, files).catch((error: unknown) =>
    error instanceof TRPCClientError ? error.message : Promise.reject(error),
  )
  const quoteMs = performance.now() - begun
  const isCovered = goal.expected === 'delivered'
  const beforeMoney = (outcome: 'declined' | 'asked', detail: string): GoalResult => ({
    goal,
    outcome: isCovered ? outcome : 'correct',
    quoteMs,
    workMs: null,
    detail,
  })
  // A text that the server refuses is declined, too.
  if (typeof answer === 'string') return beforeMoney('declined', answer)
  const { quote } = answer
  const chosen = 'steps' in quote ? undefined : quote.suggestions.find(({ text }) => goal.chooses?.test(text))
  if (quote.outcome === 'question' && !chosen) return beforeMoney('asked', quote.question)
  if (!('steps' in quote) && !chosen) return beforeMoney('declined', 'reason' in quote ? quote.reason : '')
  const plan = chosen ?? (quote as Extract<typeof quote, { steps: unknown }>)
  // A person picks no suggestion for a goal that nothing covers, so there must be none.
  if (!isCovered) return { goal, outcome: 'wrong', quoteMs, workMs: null, detail: `It is planned: ${plan.summary}` }
  const funded = performance.now()
  const work: Work = {
    text: chosen?.text ?? goal.text,
    ...(chosen && { originalText: goal.text }),
    files,
    budget: plan.minBudget,
    criteria: plan.criteria,
  }
  const { outcome, text } = await doWork(client, work)
  const workMs = performance.now() - funded
  if (outcome !== 'delivered') return { goal, outcome: 'dead_end', quoteMs, workMs, detail: text }
  const plain = text.replace(/(\d),(?=\d{3})/g, '$1')
  const missing = goal.answers.filter((pattern) => !pattern.test(plain) && !pattern.test(text))
  const detail = missing.length > 0 ? `Without ${missing.join(', ')}: ${text.slice(0, 200)}` : text.slice(0, 200)
  return { goal, outcome: missing.length > 0 ? 'wrong' : chosen ? 'chosen' : 'correct', quoteMs, workMs, detail }
}

type Work = {
  readonly text: string
  readonly originalText?: string
  readonly files: readonly Attachment[]
  readonly budget: bigint
  readonly criteria: readonly string[]
}

/** From the post to the payment. `text`: the conclusion and all files, or why there is none. */
async function doWork(
  client: DemoClient,
  { text, originalText, files, budget, criteria }: Work,
): Promise<{ outcome: string; text: string }> {
  const { api } = client
  const written = { name: 'goal', title: text, text, ...(originalText && { originalText }) }
  const demo: DemoGoal = { ...written, criteria, budget, attachments: files, expected: { state: 'paid', files: {} } }
  const posted = await patiently(() => postAndFund(client, demo))
  const approve = teamApproval(client, posted)
  const subject = { goal_id: posted.goalId as never }
  const deadline = Date.now() + goalTimeoutMs
  let outcome = ''
  let output = ''
  for (; ; await pause(lookEveryMs)) {
    const goal = await patiently(() => api.goals.get.query(subject))
    if (ended.includes(goal.state)) return { outcome: outcome || goal.state, text: output }
    await approve(await patiently(() => api.goals.getPage.query(subject)))
    if (goal.state === 'review' && outcome === '') {
      outcome = goal.outcome ?? 'none'
      output = await readAnswer(client, posted)
      if (outcome === 'delivered') await patiently(() => api.tasks.accept.mutate(subject))
      else return { outcome, text: output }
    }
    if (Date.now() > deadline) return { outcome: 'timeout', text: `The goal is still ${goal.state}. ${output}` }
  }
}

async function readAnswer(client: DemoClient, { goalId, roomId }: { readonly goalId: string; readonly roomId: string }): Promise<string> {
  const { api } = client
  const messages = await patiently(() => api.conversations.list.query({ room_id: roomId as never, after: 0, limit: 200 }))
  const conclusion = messages.findLast((message) => message.type === 'conclusion')
  const words = conclusion?.parts.flatMap((part) => part.text ?? []).join('\n') ?? ''
  const artifacts = conclusion?.parts.flatMap((part) => part.artifact ?? []) ?? []
  // The bundle repeats the goal, which would answer for itself.
  const own = artifacts.filter((artifact) => artifact.artifact_type !== 'answer.bundle')
  const texts = await Promise.all(
    own.map(async (artifact) => new TextDecoder().decode(await patiently(() => fetchFile(client, goalId, artifact)))),
  )
  return [words, ...texts].join('\n')
}

/** Waits as the server asks where a quota is used up. */
async function patiently<Value>(ask: () => Promise<Value>): Promise<Value> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask()
    } catch (error) {
      const data =
        error instanceof TRPCClientError ? (error.data as { code?: string; facts?: { retry_after_seconds?: unknown } } | null) : null
      const wait = Number(data?.facts?.retry_after_seconds ?? 2)
      if (!isBusy(error) || attempt > 60) throw error
      await pause(Math.min(30, Math.max(1, wait)) * 1_000)
    }
  }
}

const isBusy = (error: unknown): boolean =>
  error instanceof TRPCClientError && /rate|quota|too many|try again/i.test(`${error.message} ${JSON.stringify(error.data)}`)
