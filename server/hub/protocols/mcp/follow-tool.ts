/**
 * MCP's `follow_goal`: one call that goes on until a goal is delivered, its team waits for approval, or its time is up. Each message of the room is told as
 * progress, once and in order. All that is needed to go on is in the events' ids, so that any hub can, and none keeps a session.
 */
import { GoalId } from '@parley/protocol'
import { z } from 'zod'
import type { Context } from '../../../context.ts'
import { readMessages } from '../../../conversations/index.ts'
import { DomainError } from '../../../errors.ts'
import { resultJson } from '../../codec/frames.ts'
import { isTerminal, taskStateOf } from '../a2a/a2a-mapping.ts'
import { followGoal } from '../goals/goal-stream.ts'
import { type GoalStatus, maxMessages, readGoalStatus, textOf } from '../goals/market-tools.ts'
import { type RequestId, success } from '../transport/json-rpc.ts'
import type { StreamContext } from '../transport/response-stream.ts'
import type { StreamEvent } from '../transport/server-sent-events.ts'

export const FollowGoal = z.strictObject({
  goal_id: GoalId,
  after: z.int().min(0).default(0).describe('The last message number that you have.'),
  seconds: z.int().min(1).max(300).default(50).describe('The longest that this waits.'),
})

const Token = z.union([z.string().max(200), z.number()])
/** What a stream goes on from. `from`: the message after which the caller asked; `until`: Unix milliseconds. */
const Place = z.strictObject({
  goal: GoalId,
  from: z.int().min(0),
  after: z.int().min(0),
  until: z.int().min(0),
  id: z.union([z.string().max(200), z.number()]),
  token: Token.nullable(),
})
export type FollowCursor = z.infer<typeof Place>
/** The longest that a stream goes on, also for one who has written its id himself. */
const maxFollowMs = 300_000

export function cursorFor(input: z.output<typeof FollowGoal>, id: RequestId, params: unknown, now: number): FollowCursor {
  const token = z.looseObject({ _meta: z.looseObject({ progressToken: Token }) }).safeParse(params).data?._meta.progressToken
  const { goal_id: goal, after, seconds } = input
  return { goal, from: after, after, until: now + seconds * 1_000, id: id ?? 0, token: token ?? null }
}

/** @throws request.malformed where it is none that was given here */
export function parseFollowCursor(lastEventId: string): FollowCursor {
  const read = Place.safeParse(parsed(Buffer.from(lastEventId.slice(0, 2_000), 'base64url').toString('utf8')))
  if (!read.success)
    throw new DomainError('request.malformed', 'Last-Event-ID is none that was given here.', { hint: 'Send the last one, or call anew.' })
  return read.data
}

const encodeFollowCursor = (place: FollowCursor): string => Buffer.from(JSON.stringify(place)).toString('base64url')

/** Where the goal stands when it is delivered, needs its client, or the time is up, with what was said since. */
export async function awaitGoal(ctx: Context, place: FollowCursor, way: StreamContext): Promise<object> {
  for await (const _ of updatesUntil(ctx, place, way));
  return resultOf(ctx, place)
}

/** As `followed`, with the progress before the result. `isPrimed`: its first event is an id alone, to come back with. */
export async function* streamGoal(
  ctx: Context,
  place: FollowCursor,
  way: StreamContext,
  isPrimed: boolean,
): AsyncGenerator<StreamEvent, void, undefined> {
  // Who may not read the goal is refused before anything is told.
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
  // A reader that has gone comes back with the id that it has.
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
  const messages = await readMessages(ctx, { groupId: stands.goal.group_id, after: from, limit: maxMessages })
  const done = { ...stands, messages, after: messages.at(-1)?.seq ?? from }
  return { content: [{ type: 'text', text: textOf(done) }], structuredContent: done, isError: false }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
