/** Watches a goal through the public pages' own routes, from posted to completion; accepts what is delivered, returns what is left of a failure. */
import type { DeliveredEnvelope } from '@parley/protocol'
import { type Answers, type DemoClient, fetchFile, type PostedGoal } from './client.ts'
import { block, messageLine, oneLine, type People, paint, print } from './screen.ts'

type Run = Answers['goals']['getPage']
type Goal = Answers['goals']['get']
export type Followed = {
  readonly goal: Goal
  readonly run: Run
  readonly messages: readonly DeliveredEnvelope[]
  readonly files: ReadonlyMap<string, string>
}

const lookEveryMs = 300
const pageSize = 200
const final = ['paid', 'refunded', 'canceled']

/** `word`: what a client reports that is asked before and during the work; read again each time. */
export async function followGoal(
  client: DemoClient,
  { goalId, roomId }: PostedGoal,
  timeoutMs: number,
  word?: (run: Run) => Promise<void>,
): Promise<Followed> {
  const { api } = client
  const messages: DeliveredEnvelope[] = []
  const give = { goal_id: goalId }
  const deadline = Date.now() + timeoutMs
  let run = await api.goals.getPage.query(give)
  let hasDecided = false

  async function printNews(): Promise<void> {
    for (;;) {
      const page = await api.conversations.list.query({ room_id: roomId, after: messages.length, limit: pageSize })
      const knows = (did: string) => run.participants.some((one) => one.did === did)
      if (page.some((message) => !knows(message.sender_id))) run = await api.goals.getPage.query(give)
      for (const message of page) print(`  ${messageLine(message, peopleOf(run))}`)
      messages.push(...page)
      if (page.length < pageSize) return
    }
  }

  async function decide({ outcome }: Goal): Promise<void> {
    if (outcome === 'delivered') {
      print(paint('green', '  The client accepts the delivery.'))
      await api.tasks.accept.mutate(give)
      return
    }
    run = await api.goals.getPage.query(give)
    const task_ids = run.tasks.flatMap((task) => (task.state === 'completed' ? [task.id as never] : []))
    print(paint('yellow', `  The client returns ${task_ids.length} steps of a goal that has failed.`))
    await api.tasks.return.mutate({ ...give, task_ids, reason: 'The goal ended without a result.' })
  }

  for (;;) {
    const goal = await api.goals.get.query(give)
    await printNews()
    if (final.includes(goal.state)) {
      run = await api.goals.getPage.query(give)
      return { goal, run, messages, files: await showFiles(client, goalId, run) }
    }
    if (word) await word(await api.goals.getPage.query(give))
    if (goal.state === 'review' && !hasDecided) {
      hasDecided = true
      await decide(goal)
    }
    if (run.hold.failure) throw new Error(`The money could not be set aside: ${run.hold.failure}`)
    if (Date.now() > deadline)
      throw new Error(`The goal is still ${goal.state} after ${timeoutMs / 1_000} s; it has said ${messages.length} messages.`)
    await new Promise((resolve) => {
      setTimeout(resolve, lookEveryMs)
    })
  }
}

function peopleOf({ participants }: Run): People {
  const byDid = new Map(participants.map((one) => [one.did, one]))
  const byAgent = new Map(participants.flatMap((one) => (one.agentId ? [[one.agentId, one.name] as const] : [])))
  return {
    handleOf: (did) => {
      const found = byDid.get(did)
      return found?.handle ?? found?.name ?? did.slice(0, 18)
    },
    nameOf: (agentId) => byAgent.get(agentId) ?? agentId,
    roleOf: (did) => byDid.get(did)?.role ?? 'unknown',
  }
}

/** Fetches every file, prints what a person would look at first, and gives the texts by their type. */
async function showFiles(client: DemoClient, goalId: string, { artifacts }: Run): Promise<Map<string, string>> {
  const files = new Map<string, string>()
  print(paint('bold', '  Files'))
  for (const file of artifacts) {
    const text = new TextDecoder().decode(await fetchFile(client, goalId, file))
    files.set(file.artifact_type, text)
    print(`    ${oneLine(file.name, 40)}  ${file.artifact_type}, ${file.size} bytes, sha256 ${file.sha256.slice(0, 12)}…`)
    if (file.artifact_type === 'chart.text') print(block(text, 40))
    if (file.artifact_type === 'report.markdown') print(block(text, 8))
  }
  return files
}
