import type { Command } from '@parley/protocol'
import type { Context } from '../context.ts'
import { admitRate, costOf } from '../policy/index.ts'
import { readCommand } from './read-command.ts'
import { verbs } from './verbs.ts'

/**
 * The one way in for a command, whoever sends it and through whichever door. `input`: JSON text, or a value already read.
 * Money comes out as bigint and times as Date; doors put them on the wire.
 */
export async function admit(ctx: Context, input: unknown): Promise<unknown> {
  const command = readCommand(input)
  await admitRate(ctx, costOf(command.type))
  return dispatch(ctx, command)
}

function dispatch(ctx: Context, command: Command): Promise<unknown> {
  // The table pairs each type with the verb that takes it, which the type system can't follow through a lookup.
  const verb = verbs[command.type] as (ctx: Context, input: Command) => Promise<unknown>
  return verb(ctx, command)
}
