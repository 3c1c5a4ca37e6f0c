import type { Context } from '../../context.ts'
import { inTransaction } from '../../db.ts'
import type { EscrowRail } from '../../ports.ts'

/** Rail methods that a decision may call: they query the node or a signer. */
const readNames = ['plan', 'channel', 'head', 'encode', 'accountNonce', 'creditOf'] as const
type ReadName = (typeof readNames)[number]
type RailReads = Pick<EscrowRail, ReadName>
/** Results of external reads, by method and arguments. */
export type ExternalReads = Map<string, unknown>

/** Stops a decision that requests new reads without end. */
const maxRestarts = 200

class MissingRead extends Error {
  readonly ask: () => Promise<void>
  constructor(key: string, ask: () => Promise<void>) {
    super(`a decision needs an answer from outside: ${key}`)
    this.ask = ask
  }
}

/**
 * Runs `work` in a database transaction that never waits for a node or a signer. If `work` needs an external read, the transaction
 * rolls back. The read then happens without locks, and `work` restarts with its result. State may change in between. Then `work`
 * requests other reads, or the contract rejects the call.
 */
export async function inRestartableDatabaseTransaction<T>(
  ctx: Context,
  work: (tx: Context) => Promise<T>,
  answers: ExternalReads = new Map(),
): Promise<T> {
  const answered = interceptReads(ctx, (question, args, ask) => {
    const key = readKey(question, args)
    if (answers.has(key)) return answers.get(key)
    throw new MissingRead(key, async () => void answers.set(key, await ask()))
  })
  for (let count = 0; ; count++) {
    try {
      return await inTransaction(answered, work)
    } catch (error) {
      if (!(error instanceof MissingRead) || count === maxRestarts) throw error
      await error.ask()
    }
  }
}

/** Returns the same context, but records every external read for a later transaction. */
export function recordReads(ctx: Context, answers: ExternalReads): Context {
  return interceptReads(ctx, async (question, args, ask) => {
    const answer = await ask()
    answers.set(readKey(question, args), answer)
    return answer
  })
}

type Interceptor = (question: ReadName, args: readonly unknown[], ask: () => Promise<unknown>) => unknown

/** Wraps the rail's read methods. */
function interceptReads(ctx: Context, reply: Interceptor): Context {
  const { rail } = ctx.ports
  const replies = readNames.map((question) => {
    const ask = (args: unknown[]) => (rail[question] as (...args: unknown[]) => Promise<unknown>)(...args)
    return [question, async (...args: unknown[]) => reply(question, args, () => ask(args))]
  })
  // Each wrapper has the type of the method that it replaces.
  const intercepted = Object.fromEntries(replies) as RailReads
  return { ...ctx, ports: { ...ctx.ports, rail: { ...rail, ...intercepted } } }
}

function readKey(question: ReadName, args: readonly unknown[]): string {
  return JSON.stringify([question, ...args], (_name, value: unknown) => (typeof value === 'bigint' ? value.toString() : value))
}
