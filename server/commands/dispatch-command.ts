import { type Command, type PostMessage, scalarText } from '@parley/protocol'
import { actorName, type Context } from '../context.ts'
import { type Completion, enqueuePost, type PostResult } from '../conversations/index.ts'
import { costOf, requirePermission, takeRate } from '../policy/index.ts'
import { inSpan, joinTrace } from '../telemetry/index.ts'
import { keepRules } from './enforce-policy.ts'
import { verbs } from './handlers.ts'
import { readCommand } from './parse-command.ts'
import { hideUnknown, requireKnown } from './require-visible.ts'

/** Of the talk, how much leaves a span: one that costs more than the word it tells of would be too dear for each. */
const talkShare = 0.02

/** The door that a command has come through, and the trace it named there. */
export type Entrance = { readonly door: string; readonly trace?: unknown }

/**
 * The one way in for a command, whoever sends it and through whichever door. `input`: JSON text, or a value already read.
 * Money comes out as bigint and times as Date; doors put them on the wire.
 */
export async function admit(ctx: Context, input: unknown, entrance?: Entrance): Promise<unknown> {
  const command = readCommand(input)
  if (!isTraced(ctx, command)) return enter(ctx, command)
  return traced(ctx, command, entrance, (verb) => enter(verb, command))
}

/**
 * As `admit`, for talk alone: what it comes to goes to `end`, so that a message for which nothing has to be waited needs no
 * promise. Messages of one sender keep the order of the calls.
 * @throws what can be refused at once
 */
export function admitTalk(ctx: Context, command: PostMessage, entrance: Entrance, end: Completion<PostResult>): void {
  const say = (own: Context, to: Completion<PostResult>) => {
    takeRate(own, costOf(command.type), '')
    const allowed = keepRules(own, command)
    // What is refused before it has its answer here.
    allowed?.catch(() => undefined)
    enqueuePost(own, command, to, allowed)
  }
  const sayTraced = (verb: Context) => new Promise<PostResult>((resolve, reject) => say(verb, { resolve, reject }))
  const hidden: Completion<PostResult> = {
    resolve: end.resolve,
    reject: (error) => {
      hideUnknown(ctx, command, error).then(end.reject, end.reject)
    },
  }
  if (isTraced(ctx, command)) traced(ctx, command, entrance, sayTraced).then(hidden.resolve, hidden.reject)
  else say(ctx, hidden)
}

function isTraced(ctx: Context, command: Command): boolean {
  return ctx.ports.traces !== null && (command.type !== 'message.post' || Math.random() < talkShare)
}

function traced<T>(ctx: Context, command: Command, entrance: Entrance | undefined, work: (verb: Context) => Promise<T>): Promise<T> {
  const joined = joinTrace(ctx, entrance?.trace ?? traceIn(command))
  const within = (own: Context) => inSpan(own, { name: command.type, kind: 'internal', attributes: factsOf(ctx, command) }, work)
  return entrance ? inSpan(joined, { name: `${entrance.door} ${command.type}`, kind: 'server' }, within) : within(joined)
}

async function enter(ctx: Context, command: Command): Promise<unknown> {
  takeRate(ctx, costOf(command.type), '')
  await keepRules(ctx, command)
  if (command.type === 'message.post')
    return dispatch(ctx, command).catch(async (error: unknown) => {
      throw await hideUnknown(ctx, command, error)
    })
  requirePermission(ctx, command.type)
  await requireKnown(ctx, command)
  return dispatch(ctx, command)
}

/** The trace of the envelope that the command carries. */
function traceIn(command: Command): unknown {
  const { envelope } = command as { readonly envelope?: { readonly trace?: unknown } }
  return envelope?.trace
}

/** Who asks, and of what. Nothing that was said. */
function factsOf({ actor }: Context, command: Command): { [name: string]: string } {
  const about = ['goal_id', 'task_id', 'group_id'] as const
  const named = about.flatMap((name) => (name in command ? [[`parley.${name}`, scalarText(command[name as keyof Command])]] : []))
  return { ...Object.fromEntries(named), 'parley.actor': actorName(actor) }
}

function dispatch(ctx: Context, command: Command): Promise<unknown> {
  // The table pairs each type with the verb that takes it, which the type system can't follow through a lookup.
  const verb = verbs[command.type] as (ctx: Context, input: Command) => Promise<unknown>
  return verb(ctx, command)
}
