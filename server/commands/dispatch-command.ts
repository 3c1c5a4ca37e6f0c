import { type Command, type PostMessage, scalarText } from '@parley/protocol'
import { actorName, type Context } from '../context.ts'
import { type Completion, enqueuePost, type PostResult } from '../conversations/index.ts'
import { consumeRateLimit, costClassOf, requirePermission, requireScope } from '../policy/index.ts'
import { joinTrace, withSpan } from '../telemetry/index.ts'
import { enforcePolicy } from './enforce-policy.ts'
import { commandHandlers } from './handlers.ts'
import { parseCommand } from './parse-command.ts'
import { hideInvisible, requireVisibleIds } from './require-visible-ids.ts'

/** The share of messages that get a span. A span for each message would cost more than the message. */
const messageTraceShare = 0.02

/** The entry point of a command, and the trace context that its request named. */
export type CommandSource = { readonly endpoint: string; readonly traceparent?: unknown }

/**
 * The command bus: every write goes through here, from every entry point. `input`: JSON text or a parsed value. The result holds money as
 * bigint and times as Date; entry points serialize them.
 */
export async function dispatchCommand(ctx: Context, input: unknown, source?: CommandSource): Promise<unknown> {
  const command = parseCommand(input)
  if (!isTraced(ctx, command)) return authorizeAndRun(ctx, command)
  return withTrace(ctx, command, source, (verb) => authorizeAndRun(verb, command))
}

/**
 * As `dispatchCommand`, for messages only. The result goes to `completion`, so that a message that waits for nothing needs no promise.
 * Keeps the call order of each sender.
 * @throws what is refused immediately
 */
export function dispatchMessage(ctx: Context, command: PostMessage, source: CommandSource, completion: Completion<PostResult>): void {
  const post = (own: Context, to: Completion<PostResult>) => {
    requireScope(own.actor, command.type)
    consumeRateLimit(own, costClassOf(command.type), '')
    const allowed = enforcePolicy(own, command)
    // `completion` reports the rejection; without this handler it would also be unhandled.
    allowed?.catch(() => undefined)
    enqueuePost(own, command, to, allowed)
  }
  const postTraced = (verb: Context) => new Promise<PostResult>((resolve, reject) => post(verb, { resolve, reject }))
  const hidden: Completion<PostResult> = {
    resolve: completion.resolve,
    reject: (error) => {
      hideInvisible(ctx, command, error).then(completion.reject, completion.reject)
    },
  }
  if (isTraced(ctx, command)) withTrace(ctx, command, source, postTraced).then(hidden.resolve, hidden.reject)
  else post(ctx, hidden)
}

function isTraced(ctx: Context, command: Command): boolean {
  return ctx.ports.traces !== null && (command.type !== 'message.post' || Math.random() < messageTraceShare)
}

function withTrace<T>(ctx: Context, command: Command, source: CommandSource | undefined, work: (verb: Context) => Promise<T>): Promise<T> {
  const joined = joinTrace(ctx, source?.traceparent ?? envelopeTrace(command))
  const within = (own: Context) => withSpan(own, { name: command.type, kind: 'internal', attributes: spanAttributes(ctx, command) }, work)
  return source ? withSpan(joined, { name: `${source.endpoint} ${command.type}`, kind: 'server' }, within) : within(joined)
}

async function authorizeAndRun(ctx: Context, command: Command): Promise<unknown> {
  requireScope(ctx.actor, command.type)
  consumeRateLimit(ctx, costClassOf(command.type), '')
  await enforcePolicy(ctx, command)
  if (command.type === 'message.post')
    return callHandler(ctx, command).catch(async (error: unknown) => {
      throw await hideInvisible(ctx, command, error)
    })
  requirePermission(ctx, command.type)
  await requireVisibleIds(ctx, command)
  return callHandler(ctx, command)
}

/** The trace context in the envelope of the command. */
function envelopeTrace(command: Command): unknown {
  const { envelope } = command as { readonly envelope?: { readonly traceparent?: unknown } }
  return envelope?.traceparent
}

/** The actor and the ids of the command. No message content. */
function spanAttributes({ actor }: Context, command: Command): { [name: string]: string } {
  const about = ['goal_id', 'task_id', 'room_id'] as const
  const named = about.flatMap((name) => (name in command ? [[`parley.${name}`, scalarText(command[name as keyof Command])]] : []))
  return { ...Object.fromEntries(named), 'parley.actor': actorName(actor) }
}

function callHandler(ctx: Context, command: Command): Promise<unknown> {
  // The table pairs each type with its handler. The type system cannot follow this through a lookup.
  const verb = commandHandlers[command.type] as (ctx: Context, input: Command) => Promise<unknown>
  return verb(ctx, command)
}
