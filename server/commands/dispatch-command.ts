import { type Command, type PostMessage, scalarText } from '@parley/protocol'
import { actorName, type Context } from '../context.ts'
import { type Completion, enqueuePost, type PostResult } from '../conversations/index.ts'
import { consumeRate, costClassOf, requirePermission } from '../policy/index.ts'
import { joinTrace, withSpan } from '../telemetry/index.ts'
import { enforcePolicy } from './enforce-policy.ts'
import { commandHandlers } from './handlers.ts'
import { parseCommand } from './parse-command.ts'
import { hideInvisible, requireVisible } from './require-visible.ts'

/** Of the talk, how much leaves a span: one that costs more than the word it tells of would be too dear for each. */
const messageTraceShare = 0.02

/** The door that a command has come through, and the trace it named there. */
export type CommandSource = { readonly endpoint: string; readonly trace?: unknown }

/**
 * The one way in for a command, whoever sends it and through whichever door. `input`: JSON text, or a value already read.
 * Money comes out as bigint and times as Date; doors put them on the wire.
 */
export async function dispatchCommand(ctx: Context, input: unknown, source?: CommandSource): Promise<unknown> {
  const command = parseCommand(input)
  if (!isTraced(ctx, command)) return authorizeAndRun(ctx, command)
  return withTrace(ctx, command, source, (verb) => authorizeAndRun(verb, command))
}

/**
 * As `admit`, for talk alone: what it comes to goes to `end`, so that a message for which nothing has to be waited needs no
 * promise. Messages of one sender keep the order of the calls.
 * @throws what can be refused at once
 */
export function dispatchMessage(ctx: Context, command: PostMessage, source: CommandSource, completion: Completion<PostResult>): void {
  const say = (own: Context, to: Completion<PostResult>) => {
    consumeRate(own, costClassOf(command.type), '')
    const allowed = enforcePolicy(own, command)
    // What is refused before it has its answer here.
    allowed?.catch(() => undefined)
    enqueuePost(own, command, to, allowed)
  }
  const sayTraced = (verb: Context) => new Promise<PostResult>((resolve, reject) => say(verb, { resolve, reject }))
  const hidden: Completion<PostResult> = {
    resolve: completion.resolve,
    reject: (error) => {
      hideInvisible(ctx, command, error).then(completion.reject, completion.reject)
    },
  }
  if (isTraced(ctx, command)) withTrace(ctx, command, source, sayTraced).then(hidden.resolve, hidden.reject)
  else say(ctx, hidden)
}

function isTraced(ctx: Context, command: Command): boolean {
  return ctx.ports.traces !== null && (command.type !== 'message.post' || Math.random() < messageTraceShare)
}

function withTrace<T>(ctx: Context, command: Command, source: CommandSource | undefined, work: (verb: Context) => Promise<T>): Promise<T> {
  const joined = joinTrace(ctx, source?.trace ?? envelopeTrace(command))
  const within = (own: Context) => withSpan(own, { name: command.type, kind: 'internal', attributes: spanAttributes(ctx, command) }, work)
  return source ? withSpan(joined, { name: `${source.endpoint} ${command.type}`, kind: 'server' }, within) : within(joined)
}

async function authorizeAndRun(ctx: Context, command: Command): Promise<unknown> {
  consumeRate(ctx, costClassOf(command.type), '')
  await enforcePolicy(ctx, command)
  if (command.type === 'message.post')
    return callHandler(ctx, command).catch(async (error: unknown) => {
      throw await hideInvisible(ctx, command, error)
    })
  requirePermission(ctx, command.type)
  await requireVisible(ctx, command)
  return callHandler(ctx, command)
}

/** The trace of the envelope that the command carries. */
function envelopeTrace(command: Command): unknown {
  const { envelope } = command as { readonly envelope?: { readonly trace?: unknown } }
  return envelope?.trace
}

/** Who asks, and of what. Nothing that was said. */
function spanAttributes({ actor }: Context, command: Command): { [name: string]: string } {
  const about = ['goal_id', 'task_id', 'group_id'] as const
  const named = about.flatMap((name) => (name in command ? [[`parley.${name}`, scalarText(command[name as keyof Command])]] : []))
  return { ...Object.fromEntries(named), 'parley.actor': actorName(actor) }
}

function callHandler(ctx: Context, command: Command): Promise<unknown> {
  // The table pairs each type with the verb that takes it, which the type system can't follow through a lookup.
  const verb = commandHandlers[command.type] as (ctx: Context, input: Command) => Promise<unknown>
  return verb(ctx, command)
}
