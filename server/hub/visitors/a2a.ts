/**
 * The market as an A2A agent over JSON-RPC: words alone are a search, words with a `goal` beside them are a goal to post, and
 * a goal is a task. Both versions of A2A that agents speak are answered in their own words.
 */
import type { DeliveredEnvelope } from '@parley/protocol'
import { z } from 'zod'
import type { Context } from '../../context.ts'
import { readMessages } from '../../conversations/index.ts'
import { getHead } from '../../delivery/index.ts'
import { DomainError, toProblem } from '../../errors.ts'
import { admitRate } from '../../policy/index.ts'
import { type A2aVersion, messageIn, readParts, taskIn } from './a2a-words.ts'
import { answered, type Call, codes, failed, sentenceOf } from './json-rpc.ts'
import { type Standing, standing, tools } from './tools.ts'

/** A2A's own codes. */
const own = { taskNotFound: -32_001, notCancelable: -32_002, unsupported: -32_004 } as const
/** What each version calls the same. */
const methods: { readonly [method: string]: { readonly does: 'send' | 'get' | 'cancel'; readonly version: A2aVersion } } = {
  SendMessage: { does: 'send', version: '1.0' },
  GetTask: { does: 'get', version: '1.0' },
  CancelTask: { does: 'cancel', version: '1.0' },
  'message/send': { does: 'send', version: '0.3' },
  'tasks/get': { does: 'get', version: '0.3' },
  'tasks/cancel': { does: 'cancel', version: '0.3' },
}
const Send = z.looseObject({
  message: z.looseObject({
    messageId: z.string().min(1).max(200),
    parts: z.array(z.looseObject({})).min(1).max(64),
    taskId: z.string().max(100).optional(),
  }),
})
const Ask = z.looseObject({ id: z.string().min(1).max(100), historyLength: z.int().min(0).max(50).default(20) })

export async function answerA2a(ctx: Context, call: Call, source: string): Promise<object> {
  const method = Object.hasOwn(methods, call.method) ? methods[call.method] : undefined
  const { id, params } = call
  if (!method) {
    const isKnown = /stream|subscribe|pushnotification|list|card/i.test(call.method)
    return failed(id, isKnown ? own.unsupported : codes.method, `${call.method} is not answered here. Ask for the task again to follow it.`)
  }
  try {
    return answered(id, await carryOut(ctx, method, params, source))
  } catch (error) {
    if (error instanceof z.ZodError) return failed(id, codes.params, z.prettifyError(error))
    if (!(error instanceof DomainError)) throw error
    const problem = toProblem(error, ctx.ids.uuid())
    const isGone = problem.code === 'goal.not_found'
    const code = isGone ? own.taskNotFound : method.does === 'cancel' ? own.notCancelable : codes.params
    return failed(id, code, sentenceOf(problem), { problem })
  }
}

type Method = (typeof methods)[string]

async function carryOut(ctx: Context, { does, version }: Method, params: unknown, source: string): Promise<object> {
  if (does === 'send') {
    const sent = await send(ctx, Send.parse(params).message, source, version)
    // In 1.0 an answer says by its field what it is, in 0.3 by its kind.
    return version === '1.0' ? sent : (Object.values(sent)[0] as object)
  }
  const asked = Ask.parse(params)
  if (does === 'cancel') await runTool('cancel_goal', ctx, { goal_id: asked.id }, source)
  return task(ctx, asked.id, asked.historyLength, version, source)
}

async function send(ctx: Context, message: z.infer<typeof Send>['message'], source: string, version: A2aVersion): Promise<object> {
  const { text, data } = readParts(message.parts)
  if (message.taskId) {
    await tellTask(ctx, message.taskId, text, data, source)
    return { task: await task(ctx, message.taskId, 20, version, source) }
  }
  if (data.goal !== undefined) {
    const goal = z.record(z.string(), z.unknown()).parse(data.goal)
    const posted = (await runTool('post_goal', ctx, { text, ...goal }, source)) as Standing
    return { task: await task(ctx, posted.goal.goal_id, 20, version, source) }
  }
  const query = z.record(z.string(), z.unknown()).parse(data.query ?? (text ? { text: text.slice(0, 400) } : {}))
  const found = (await runTool('search_listings', ctx, query, source)) as { listings: { handle: string; summary: string }[] }
  const lines = found.listings.map((one) => `${one.handle}: ${one.summary}`)
  const parts = [{ text: lines.length > 0 ? lines.join('\n') : 'Nobody on offer fits.' }, { data: found as never }]
  return { message: messageIn({ id: ctx.ids.uuid(), parts, isOwn: false }, version) }
}

/** What is said to a task: the signature that it waits for, the word that its work is accepted, or talk. */
async function tellTask(ctx: Context, goal_id: string, text: string, data: { [field: string]: unknown }, source: string): Promise<void> {
  if (data.signature !== undefined) await runTool('fund_goal', ctx, { goal_id, signature: data.signature }, source)
  if (data.accept === true) await runTool('accept_goal', ctx, { goal_id }, source)
  if (text || (data.signature === undefined && data.accept !== true)) await runTool('say_in_goal', ctx, { goal_id, text }, source)
}

async function runTool(name: string, ctx: Context, input: object, source: string): Promise<unknown> {
  const tool = tools[name]
  if (!tool) throw new Error(`there is no tool ${name}`)
  return tool.run(ctx, tool.input.parse(input), source)
}

/** The task with the end of its talk. */
async function task(ctx: Context, goalId: string, historyLength: number, version: A2aVersion, source: string): Promise<object> {
  await admitRate(ctx, 'read', source)
  const stands = await standing(ctx, goalId)
  return taskIn(stands, await lastSaid(ctx, stands.goal.group_id, historyLength), ctx.clock.now().toISOString(), version)
}

/** The end of a room's talk, the latest last. */
async function lastSaid(ctx: Context, groupId: string, count: number): Promise<DeliveredEnvelope[]> {
  if (count === 0) return []
  const { head } = await getHead(ctx, groupId)
  return readMessages(ctx, { groupId, after: Math.max(0, head - count), limit: count })
}
