import type { Command } from '@parley/protocol'
import { actorName, type Context } from '../context.ts'
import { admitRate, costOf } from '../policy/index.ts'
import { inSpan, joinTrace } from '../telemetry/index.ts'
import { keepRules } from './keep-rules.ts'
import { readCommand } from './read-command.ts'
import { verbs } from './verbs.ts'

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
  if (ctx.ports.traces === null || (command.type === 'message.post' && Math.random() >= talkShare)) return enter(ctx, command)
  const traced = joinTrace(ctx, entrance?.trace ?? traceIn(command))
  const within = (own: Context) =>
    inSpan(own, { name: command.type, kind: 'internal', attributes: factsOf(ctx, command) }, (verb) => enter(verb, command))
  return entrance ? inSpan(traced, { name: `${entrance.door} ${command.type}`, kind: 'server' }, within) : within(traced)
}

async function enter(ctx: Context, command: Command): Promise<unknown> {
  await admitRate(ctx, costOf(command.type))
  await keepRules(ctx, command)
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
  const named = about.flatMap((name) => (name in command ? [[`parley.${name}`, String(command[name as keyof Command])]] : []))
  return { ...Object.fromEntries(named), 'parley.actor': actorName(actor) }
}

function dispatch(ctx: Context, command: Command): Promise<unknown> {
  // The table pairs each type with the verb that takes it, which the type system can't follow through a lookup.
  const verb = verbs[command.type] as (ctx: Context, input: Command) => Promise<unknown>
  return verb(ctx, command)
}
