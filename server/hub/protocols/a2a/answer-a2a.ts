/**
 * The market as an A2A agent over JSON-RPC, in both supported versions. Text alone is a search, and text with a `quote` asks for a quote.
 * Text with a `goal` posts a goal, and a goal is a task.
 */
import { createHash } from 'node:crypto'
import type { DeliveredEnvelope, SignedQuote } from '@parley/protocol'
import { z } from 'zod'
import { requestMalformed } from '../../../commands/index.ts'
import type { Context } from '../../../context.ts'
import { readLastMessages } from '../../../conversations/index.ts'
import { cursorBeyondHead, getHead } from '../../../delivery/index.ts'
import { DomainError, toProblem } from '../../../errors.ts'
import { admitRate } from '../../../policy/index.ts'
import { resultJson } from '../../codec/frames.ts'
import { followGoal } from '../goals/follow-goal.ts'
import { type GoalStatus, readGoalStatus } from '../goals/goal-status.ts'
import { tools } from '../goals/market-tools.ts'
import { toOneLine } from '../goals/to-one-line.ts'
import { awaitFirstEvent, parseLastEventId, type StreamContext } from '../transport/await-first-event.ts'
import { errorCodes, failure, type JsonRpcRequest, sentenceOf, success } from '../transport/json-rpc.ts'
import type { StreamEvent } from '../transport/server-sent-events.ts'
import { type A2aVersion, isTerminal, parseParts, taskStateOf, toMessage, toStreamEvents, toTask } from './a2a-mapping.ts'

/** Error codes of A2A. */
const a2aErrorCodes = { taskNotFound: -32_001, notCancelable: -32_002, unsupported: -32_004 } as const
type Method = { readonly does: 'send' | 'get' | 'cancel' | 'stream' | 'subscribe'; readonly version: A2aVersion }
/** The method names of both versions. */
export const methods: { readonly [method: string]: Method } = {
  SendMessage: { does: 'send', version: '1.0' },
  GetTask: { does: 'get', version: '1.0' },
  CancelTask: { does: 'cancel', version: '1.0' },
  SendStreamingMessage: { does: 'stream', version: '1.0' },
  SubscribeToTask: { does: 'subscribe', version: '1.0' },
  'message/send': { does: 'send', version: '0.3' },
  'tasks/get': { does: 'get', version: '0.3' },
  'tasks/cancel': { does: 'cancel', version: '0.3' },
  'message/stream': { does: 'stream', version: '0.3' },
  'tasks/resubscribe': { does: 'subscribe', version: '0.3' },
}
const Send = z.looseObject({
  message: z.looseObject({
    messageId: z.string().min(1).max(200),
    parts: z.array(z.looseObject({})).min(1).max(64),
    taskId: z.string().max(100).optional(),
  }),
})
/** The number of recent messages in a task. */
const historyLength = 20
const TaskQuery = z.looseObject({ id: z.string().min(1).max(100), historyLength: z.int().min(0).max(50).default(historyLength) })

/** A single response or a stream. */
export async function answerA2a(
  ctx: Context,
  call: JsonRpcRequest,
  source: string,
  way: StreamContext,
): Promise<object | AsyncIterable<StreamEvent>> {
  const method = Object.hasOwn(methods, call.method) ? methods[call.method] : undefined
  const { id, params } = call
  if (!method) {
    const isKnown = /pushnotification|list|card/i.test(call.method)
    return failure(
      id,
      isKnown ? a2aErrorCodes.unsupported : errorCodes.method,
      `${call.method} is not answered here. Ask for the task again to follow it.`,
    )
  }
  const refuse = (error: unknown) => refusalOf(ctx, id, method, error)
  try {
    if (method.does !== 'stream' && method.does !== 'subscribe') return success(id, await dispatchMethod(ctx, method, params, source))
    // An error before the first event is a plain response.
    return await awaitFirstEvent(stream(ctx, { id, params, source, way }, method), way, (error) => ({
      data: JSON.stringify(refuse(error)),
    }))
  } catch (error) {
    return refuse(error)
  }
}

function refusalOf(ctx: Context, id: JsonRpcRequest['id'], { does }: Method, error: unknown): object {
  if (error instanceof z.ZodError) return failure(id, errorCodes.params, z.prettifyError(error))
  if (error instanceof TaskEnded) return failure(id, a2aErrorCodes.unsupported, error.message)
  if (!(error instanceof DomainError)) throw error
  const problem = toProblem(error, ctx.ids.uuid())
  const code =
    problem.code === 'goal.not_found' ? a2aErrorCodes.taskNotFound : does === 'cancel' ? a2aErrorCodes.notCancelable : errorCodes.params
  return failure(id, code, sentenceOf(problem), { problem })
}

/** The task, then each message of its room in order and each change of its state, until it ends. */
async function* stream(
  ctx: Context,
  { id, params, source, way }: Pick<JsonRpcRequest, 'id' | 'params'> & { source: string; way: StreamContext },
  { does, version }: Method,
): AsyncGenerator<StreamEvent, void, undefined> {
  const event = (result: object, seq?: number): StreamEvent => ({
    ...(seq !== undefined && { id: String(seq) }),
    data: resultJson(success(id, result)),
  })
  const eventOf = (result: object) => (version === '1.0' ? result : (Object.values(result)[0] as object))
  const sent = does === 'stream' ? await send(ctx, Send.parse(params).message, source, version) : null
  if (sent && !('task' in sent)) return yield event(eventOf(sent))
  const goalId = sent ? (sent.task as { id: string }).id : TaskQuery.parse(params).id
  const from = does === 'subscribe' ? parseLastEventId(way.lastEventId) : null
  const { after, first, isEnded } = await snapshot(ctx, { goalId, from }, version, source)
  if (does === 'subscribe' && from === null && isEnded) throw new TaskEnded('The task has ended: ask for it instead.')
  yield event(eventOf({ task: first }), after)
  for await (const step of followGoal(ctx, { ...way, goalId, after })) {
    const updates = toStreamEvents(step, ctx.clock.now().toISOString(), version)
    for (const { seq, event: update } of updates) yield event(update, seq)
    if (step.isCaughtUp && isTerminal(taskStateOf(step.status))) return
  }
}

/** The task is in a final state. */
class TaskEnded extends Error {}

/** The task up to a message: the last one that the reader has, otherwise the head with recent messages. */
async function snapshot(
  ctx: Context,
  { goalId, from }: { readonly goalId: string; readonly from: number | null },
  version: A2aVersion,
  source: string,
) {
  await admitRate(ctx, 'read', source)
  const stands = await readGoalStatus(ctx, goalId)
  const { head } = await getHead(ctx, stands.goal.room_id)
  const after = from ?? head
  if (after > head) throw cursorBeyondHead(stands.goal.room_id, after, head)
  const history = from === null ? await messagesUpTo(ctx, stands.goal.room_id, head, historyLength) : []
  const isEnded = isTerminal(taskStateOf(stands))
  // The final status comes after the messages that led to it.
  const { status, ...first } = toTask(stands, history, ctx.clock.now().toISOString(), version)
  const working = { ...status, state: version === '0.3' ? 'working' : 'TASK_STATE_WORKING' }
  return { after, isEnded, first: { ...first, status: isEnded ? working : status } }
}

async function dispatchMethod(ctx: Context, { does, version }: Method, params: unknown, source: string): Promise<object> {
  if (does === 'send') {
    const sent = await send(ctx, Send.parse(params).message, source, version)
    // Version 1.0 names the result by its field, version 0.3 by its kind.
    return version === '1.0' ? sent : (Object.values(sent)[0] as object)
  }
  const asked = TaskQuery.parse(params)
  if (does === 'cancel') await runTool('cancel_goal', ctx, { goal_id: asked.id }, source)
  return task(ctx, asked, version, source)
}

async function send(
  ctx: Context,
  message: z.infer<typeof Send>['message'],
  source: string,
  version: A2aVersion,
): Promise<{ task: object } | { message: object }> {
  const { text, data } = parseParts(message.parts)
  if (message.taskId) {
    await handleTaskMessage(ctx, { goal_id: message.taskId, key: message.messageId, text, data }, source)
    return { task: await task(ctx, { id: message.taskId, historyLength }, version, source) }
  }
  if (data.goal !== undefined) {
    const goal = z.record(z.string(), z.unknown()).parse(data.goal)
    const quoted = data.quote === undefined ? {} : { quote: data.quote }
    const posted = (await runTool('post_goal', ctx, { text, id: postIdOf(message.messageId), ...quoted, ...goal }, source)) as GoalStatus
    return { task: await task(ctx, { id: posted.goal.goal_id, historyLength }, version, source) }
  }
  if (data.quote !== undefined) return { message: await quoteMessage(ctx, { text, request: data.quote }, source, version) }
  return { message: await searchMessage(ctx, { text, data }, source, version) }
}

const maxQueryText = 400
/** What the data of a message without a task may contain. */
const dataKeys = ['query', 'quote', 'goal']

/** The agents that fit the words of a message and its `query`, as lines and as data. */
async function searchMessage(
  ctx: Context,
  { text, data }: Pick<TaskMessage, 'text' | 'data'>,
  source: string,
  version: A2aVersion,
): Promise<object> {
  const keys = Object.keys(data)
  if (keys.length > 0 && data.query === undefined)
    throw requestMalformed(`The data of this message has ${keys.slice(0, 5).join(', ')}. It may have ${dataKeys.join(', ')}.`)
  const asked = z.record(z.string(), z.unknown()).parse(data.query ?? {})
  const words = [text, asked.text].filter((one) => typeof one === 'string' && one !== '').join(' ')
  const given = asked.text === undefined || typeof asked.text === 'string'
  const query = { ...asked, ...(words !== '' && given && { text: words.slice(0, maxQueryText) }) }
  const found = (await runTool('search_listings', ctx, query, source)) as { listings: FoundListing[] }
  const lines = found.listings.map((one) => `${one.handle}: ${toOneLine(one.summary)} ${priceNote(one)}`.trim())
  const parts = [{ text: lines.length > 0 ? lines.join('\n') : 'No agent on offer fits.' }, { data: found as never }]
  return toMessage({ id: ctx.ids.uuid(), parts, isOwn: false }, version)
}

type FoundListing = {
  readonly handle: string
  readonly summary: string
  readonly skills: readonly { readonly price: string; readonly price_text: string }[]
}

/** The price of a listing's only skill, or of the cheapest one. */
function priceNote({ skills }: FoundListing): string {
  const [cheapest] = [...skills].sort((a, b) => (BigInt(a.price) < BigInt(b.price) ? -1 : 1))
  return cheapest ? `(${skills.some(({ price }) => price !== cheapest.price) ? 'from ' : ''}${cheapest.price_text})` : ''
}

/** The quote as a message: its lines for people, and the signed quote as data. */
async function quoteMessage(
  ctx: Context,
  { text, request }: { readonly text: string; readonly request: unknown },
  source: string,
  version: A2aVersion,
): Promise<object> {
  const asked = z.record(z.string(), z.unknown()).parse(request)
  const quote = (await runTool('quote_goal', ctx, { text, ...asked }, source)) as SignedQuote
  const lines = tools.quote_goal?.linesOf?.(ctx, quote) ?? []
  const parts = [{ text: lines.join('\n') }, { data: { quote } as never }]
  return toMessage({ id: ctx.ids.uuid(), parts, isOwn: false }, version)
}

type TaskMessage = { readonly goal_id: string; readonly key: string; readonly text: string; readonly data: { [field: string]: unknown } }

/** A message to a task: a signature, an acceptance, or text for its room. Each takes effect once, however often the message arrives. */
async function handleTaskMessage(ctx: Context, { goal_id, key, text, data }: TaskMessage, source: string): Promise<void> {
  if (data.signature !== undefined) await takeSignature(ctx, goal_id, data.signature, source)
  if (data.accept === true) await runTool('accept_goal', ctx, { goal_id }, source)
  if (text || (data.signature === undefined && data.accept !== true)) await runTool('post_message', ctx, { goal_id, text, key }, source)
}

/** A signature for the team if one waits for approval, otherwise for the funding. */
async function takeSignature(ctx: Context, goal_id: string, signature: unknown, source: string): Promise<void> {
  const { approve } = await readGoalStatus(ctx, goal_id)
  if (approve) await runTool('approve_team', ctx, { goal_id, version: approve.version, signature }, source)
  else await runTool('fund_goal', ctx, { goal_id, signature }, source)
}

/** The goal id of a message: a UUIDv7 with timestamp zero and a hash of the message id. A repeated message posts the same goal. */
function postIdOf(messageId: string): string {
  const hex = createHash('sha256').update(messageId).digest('hex')
  return `00000000-0000-7${hex.slice(0, 3)}-8${hex.slice(3, 6)}-${hex.slice(6, 18)}`
}

async function runTool(name: string, ctx: Context, input: object, source: string): Promise<unknown> {
  const tool = tools[name]
  if (!tool) throw new Error(`there is no tool ${name}`)
  return tool.run(ctx, tool.input.parse(input), source)
}

/** The task with recent messages. */
async function task(ctx: Context, asked: z.infer<typeof TaskQuery>, version: A2aVersion, source: string): Promise<object> {
  await admitRate(ctx, 'read', source)
  const stands = await readGoalStatus(ctx, asked.id)
  return toTask(stands, await lastMessage(ctx, stands.goal.room_id, asked.historyLength), ctx.clock.now().toISOString(), version)
}

/** The last messages of a room, newest last. */
async function lastMessage(ctx: Context, roomId: string, count: number): Promise<DeliveredEnvelope[]> {
  if (count === 0) return []
  const { head } = await getHead(ctx, roomId)
  return messagesUpTo(ctx, roomId, head, count)
}

async function messagesUpTo(ctx: Context, roomId: string, head: number, count: number): Promise<DeliveredEnvelope[]> {
  return readLastMessages(ctx, { roomId, upTo: head, count })
}
