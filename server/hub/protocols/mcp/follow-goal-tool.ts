/**
 * The MCP tool `follow_goal`: waits until a goal is delivered, its team needs approval, or the time is up.
 * Each message of the room is sent as progress, in order. The event ids hold the complete cursor, so any hub can resume without a
 * session.
 */
import { GoalId } from '@parley/protocol'
import { z } from 'zod'
import type { Context } from '../../../context.ts'
import { readMessages } from '../../../conversations/index.ts'
import { DomainError } from '../../../errors.ts'
import { resultJson } from '../../codec/frames.ts'
import { isTerminal, taskStateOf } from '../a2a/a2a-mapping.ts'
import { followGoal } from '../goals/follow-goal.ts'
import { type GoalStatus, readGoalStatus } from '../goals/goal-status.ts'
import { maxMessages, stringifyJson } from '../goals/market-tools.ts'
import type { StreamContext } from '../transport/await-first-event.ts'
import { type RequestId, success } from '../transport/json-rpc.ts'
import type { StreamEvent } from '../transport/server-sent-events.ts'

export const FollowGoalToolInput = z.strictObject({
  goal_id: GoalId,
  after: z.int().min(0).default(0).describe('The last message number that you have.'),
  seconds: z.int().min(1).max(300).default(50).describe('The longest that this waits.'),
})

const Token = z.union([z.string().max(200), z.number()])
/** The cursor of a stream. `from`: the message after which the caller asked; `until`: Unix milliseconds. */
const Place = z.strictObject({
  goal: GoalId,
  from: z.int().min(0),
  after: z.int().min(0),
  until: z.int().min(0),
  id: z.union([z.string().max(200), z.number()]),
  token: Token.nullable(),
})
export type FollowCursor = z.infer<typeof Place>
/** The maximum duration of a stream, also for a forged cursor. */
const maxFollowMs = 300_000

export function cursorFor(input: z.output<typeof FollowGoalToolInput>, id: RequestId, params: unknown, now: number): FollowCursor {
  const token = z.looseObject({ _meta: z.looseObject({ progressToken: Token }) }).safeParse(params).data?._meta.progressToken
  const { goal_id: goal, after, seconds } = input
  return { goal, from: after, after, until: now + seconds * 1_000, id: id ?? 0, token: token ?? null }
}

/** @throws request.malformed if this server did not create it */
export function parseFollowCursor(lastEventId: string): FollowCursor {
  const read = Place.safeParse(parsed(Buffer.from(lastEventId.slice(0, 2_000), 'base64url').toString('utf8')))
  if (!read.success)
    throw new DomainError('request.malformed', 'Last-Event-ID is not from this stream.', {
      hint: 'Send the last id of this stream, or repeat the call.',
    })
  return read.data
}

const encodeFollowCursor = (place: FollowCursor): string => Buffer.from(JSON.stringify(place)).toString('base64url')

/** Waits for the goal and returns its status with the new messages. */
export async function awaitGoal(ctx: Context, place: FollowCursor, way: StreamContext): Promise<object> {
  for await (const _ of updatesUntil(ctx, place, way));
  return resultOf(ctx, place)
}

/** Like `awaitGoal`, with progress before the result. `isPrimed`: the first event only carries an id, for a later resume. */
export async function* streamGoal(
  ctx: Context,
  place: FollowCursor,
  way: StreamContext,
  isPrimed: boolean,
): AsyncGenerator<StreamEvent, void, undefined> {
  // A caller without access is rejected before the first event.
  await readGoalStatus(ctx, place.goal)
  if (isPrimed) yield { id: encodeFollowCursor(place), data: '' }
  let now = place
  for await (const { messages } of updatesUntil(ctx, place, way)) {
    for (const { seq, parts } of messages) {
      now = { ...now, after: seq }
      if (place.token === null) continue
      const words = parts.flatMap(({ text }) => text ?? []).join(' ')
      const params = { progressToken: place.token, progress: seq, ...(words && { message: words.slice(0, 500) }) }
      yield { id: encodeFollowCursor(now), data: JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params }) }
    }
  }
  // A disconnected reader resumes with its last id.
  if (!way.signal.aborted) yield { data: resultJson(success(place.id, await resultOf(ctx, now))) }
}

async function* updatesUntil(ctx: Context, { goal: goalId, after, until }: FollowCursor, way: StreamContext) {
  const left = Math.min(Math.max(until - ctx.clock.now().getTime(), 0), maxFollowMs)
  const signal = AbortSignal.any([way.signal, AbortSignal.timeout(left)])
  for await (const step of followGoal(ctx, { ...way, signal, goalId, after })) {
    yield step
    if (step.isCaughtUp && (step.status.approve || isTerminal(taskStateOf(step.status)))) return
  }
}

async function resultOf(ctx: Context, { goal, from }: FollowCursor): Promise<object> {
  const stands: GoalStatus = await readGoalStatus(ctx, goal)
  const messages = await readMessages(ctx, { roomId: stands.goal.room_id, after: from, limit: maxMessages })
  const done = { ...stands, messages, after: messages.at(-1)?.seq ?? from }
  return { content: [{ type: 'text', text: stringifyJson(done) }], structuredContent: done, isError: false }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
