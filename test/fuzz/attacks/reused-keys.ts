import { textUpload } from '../../support/goal-fixture.ts'
import type { Fault } from '../edge/oracles.ts'
import { newId, type Role } from '../ground/cast.ts'
import { type Answer, ask } from '../ground/http.ts'
import { hubRequest, type Place } from '../operations/operations.ts'
import { recipes } from '../operations/recipes.ts'
import type { Attack } from './index.ts'
import { fault, isTaken, mutate, run } from './request-helpers.ts'

type Tree = Record<string, unknown>
/** `change`: another body under the same key. */
type Repeat = {
  readonly name: string
  first(place: Place): Promise<Tree>
  change(body: Tree): Tree
  send(place: Place, body: Tree): Promise<Answer>
}

const recipe = async (place: Place, name: string, role: Role = 'client') =>
  structuredClone(await recipes[name]?.(place, role)) as unknown as Tree
const over = (key: string, change: Tree) => (body: Tree) => ({ ...body, [key]: { ...(body[key] as Tree), ...change } })
const asClient = (procedure: string) => (place: Place, body: Tree) => mutate(place, 'client', procedure, body)
const asAgent = (role: 'helper' | 'lead', type: string) => (place: Place, body: Tree) => run(place, role, { type, ...body })

const repeats: readonly Repeat[] = [
  {
    name: 'goals.post, another budget',
    first: (place) => recipe(place, 'goals.post'),
    change: over('goal', { budget: '20000000' }),
    send: asClient('goals.post'),
  },
  {
    name: 'goals.post, another text',
    first: (place) => recipe(place, 'goals.post'),
    change: over('goal', { text: 'Write something else instead.' }),
    send: asClient('goals.post'),
  },
  {
    name: 'goals.post, other files',
    first: (place) => recipe(place, 'goals.post'),
    change: (body) => ({ ...body, attachments: [textUpload('Another attachment.')] }),
    send: asClient('goals.post'),
  },
  {
    name: 'goals.post, an unknown field',
    first: (place) => recipe(place, 'goals.post'),
    change: over('goal', { more: newId() }),
    send: asClient('goals.post'),
  },
  {
    name: 'task.assign, another description',
    first: (place) => recipe(place, 'task.assign'),
    change: (body) => ({ ...body, task_desc: 'Something else.' }),
    send: asAgent('lead', 'task.assign'),
  },
  {
    name: 'task.complete, other files',
    first: (place) => recipe(place, 'task.complete', 'helper'),
    change: (body) => ({ ...body, artifacts: [textUpload('Another text.')] }),
    send: asAgent('helper', 'task.complete'),
  },
  {
    name: 'goals.cancel, another reason',
    first: (place) => recipe(place, 'goals.cancel'),
    change: (body) => ({ ...body, reason: 'Another reason.' }),
    send: asClient('goals.cancel'),
  },
  {
    name: 'channels.open, another deposit',
    first: (place) => recipe(place, 'channels.open'),
    change: (body) => ({ ...body, deposit: '30000000' }),
    send: asClient('channels.open'),
  },
  {
    name: 'channels.topUp, another amount',
    first: (place) => recipe(place, 'channels.topUp'),
    change: (body) => ({ ...body, amount: '2000000' }),
    send: asClient('channels.topUp'),
  },
  {
    name: 'call.decline, another reason',
    first: (place) => recipe(place, 'call.decline', 'helper'),
    change: (body) => ({ ...body, reason: 'Another reason.' }),
    send: asAgent('helper', 'call.decline'),
  },
  {
    name: 'task.fail, another reason',
    first: (place) => recipe(place, 'task.fail', 'helper'),
    change: (body) => ({ ...body, reason: 'Another reason.' }),
    send: asAgent('helper', 'task.fail'),
  },
  {
    name: 'charter.submit, another reason',
    first: async (place) => ({ ...(await recipe(place, 'charter.submit')), reason: '' }),
    change: (body) => ({ ...body, reason: 'Another reason.' }),
    send: asAgent('lead', 'charter.submit'),
  },
  {
    name: 'channels.ask, another question',
    first: (place) => recipe(place, 'channels.ask'),
    change: (body) => ({ ...body, inputs: [{ port: 'in_0', type: 'text.plain', data: { text: 'other' } }] }),
    send: asClient('channels.ask'),
  },
  {
    name: 'MCP post_goal, another budget',
    first: async (place) => {
      const { goal } = (await recipe(place, 'goal.post')) as { goal: Tree }
      const { message_limits: _, follows: __, ...rest } = goal
      return { ...rest, criteria: ['It is there.'], id: newId() }
    },
    change: (body) => ({ ...body, budget: '20000000' }),
    send: async (place, body) => {
      const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'post_goal', arguments: body } }
      const answer = await ask(hubRequest(place, 'client', 'POST', '/v1/mcp', JSON.stringify(call)))
      return answer.text.includes('"isError":true') ? { ...answer, status: 409 } : answer
    },
  },
  ...(['text', 'budget'] as const).map(
    (what): Repeat => ({
      name: `A2A SendMessage, another ${what}`,
      first: async (place) => {
        const { goal } = (await recipe(place, 'goal.post')) as { goal: Tree }
        const { criteria: _, text: __, ...rest } = goal
        return { messageId: newId(), text: 'Write one short text about rivers.', goal: { ...rest, criteria: ['It is there.'] } }
      },
      change: what === 'text' ? (body) => ({ ...body, text: 'Write one short text about lakes.' }) : over('goal', { budget: '20000000' }),
      send: sendByA2a,
    }),
  ),
  {
    name: 'A2A SendMessage to a task, another text',
    first: async () => ({ messageId: newId(), text: 'A word about it.' }),
    change: (body) => ({ ...body, text: 'Another word about it.' }),
    send: sayByA2a,
  },
]

/** A message to the task of a goal that runs. */
async function sayByA2a(place: Place, { messageId, text }: Tree): Promise<Answer> {
  const message = { messageId, taskId: place.scene.goals.work.id, role: 'ROLE_USER', parts: [{ text }] }
  return callA2a(place, message)
}

async function sendByA2a(place: Place, { messageId, text, goal }: Tree): Promise<Answer> {
  return callA2a(place, { messageId, role: 'ROLE_USER', parts: [{ text }, { data: { goal } }] })
}

async function callA2a(place: Place, message: object): Promise<Answer> {
  const call = { jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message } }
  const request = hubRequest(place, 'client', 'POST', '/v1/a2a', JSON.stringify(call))
  const answer = await ask({ ...request, headers: { ...request.headers, 'a2a-version': '1.0' } })
  return /"error":\{/.test(answer.text) ? { ...answer, status: 409 } : answer
}

/** The same key twice is the same answer; the same key for something else is a conflict. */
async function repeatAll(place: Place): Promise<Fault[]> {
  const faults: Fault[] = []
  // What one of them lacks does not keep the others from being sent.
  for (const one of repeats)
    faults.push(...(await repeatOne(place, one).catch((error: unknown) => [fault('the input is made', one.name, String(error))])))
  return faults
}

async function repeatOne(place: Place, one: Repeat): Promise<Fault[]> {
  const body = await one.first(place)
  const first = await one.send(place, body)
  if (!isTaken(first)) return []
  const again = await one.send(place, body)
  const faults: Fault[] = []
  if (!isTaken(again)) faults.push(fault('a repeat repeats the answer', one.name, `answered ${again.status}: ${again.text.slice(0, 200)}`))
  const other = await one.send(place, one.change(body))
  if (isTaken(other))
    faults.push(
      fault(
        'a key for something else is a conflict',
        one.name,
        `answered ${other.status} as if nothing differed: ${other.text.slice(0, 200)}`,
      ),
    )
  return faults
}

export const repeatsAttack: Attack = { name: 'keys used again', run: repeatAll }
