import type { Context } from '../../context.ts'
import { inTransaction } from '../../db.ts'
import type { EscrowRail } from '../../ports.ts'

/** What a decision asks of the node or of a signer. */
const readNames = ['plan', 'channel', 'head', 'encode', 'accountNonce', 'creditOf'] as const
type ReadName = (typeof readNames)[number]
type RailReads = Pick<EscrowRail, ReadName>
/** What was asked so far, each answer under its question. */
export type ExternalReads = Map<string, unknown>

/** More questions than any decision has: a decision that always asks another one is an error. */
const maxRestarts = 200

class MissingRead extends Error {
  readonly ask: () => Promise<void>
  constructor(key: string, ask: () => Promise<void>) {
    super(`a decision needs an answer from outside: ${key}`)
    this.ask = ask
  }
}

/**
 * Runs `work` in a database transaction that never waits for a node or a signer. Where `work` needs an answer of theirs, the
 * transaction ends without effect, the answer is got while nothing is locked, and `work` runs again from its beginning: it decides
 * under the lock on what was answered shortly before. What has changed since then changes its questions, or the chain refuses the call.
 */
export async function inRestartableTransaction<T>(
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

/** The same context, whose answers are kept for a transaction that asks the same later. */
export function recordReads(ctx: Context, answers: ExternalReads): Context {
  return interceptReads(ctx, async (question, args, ask) => {
    const answer = await ask()
    answers.set(readKey(question, args), answer)
    return answer
  })
}

type Interceptor = (question: ReadName, args: readonly unknown[], ask: () => Promise<unknown>) => unknown

/** The rail with other answers to its questions. */
function interceptReads(ctx: Context, reply: Interceptor): Context {
  const { rail } = ctx.ports
  const replies = readNames.map((question) => {
    const ask = (args: unknown[]) => (rail[question] as (...args: unknown[]) => Promise<unknown>)(...args)
    return [question, async (...args: unknown[]) => reply(question, args, () => ask(args))]
  })
  // Each reply has the type of the method that it is named for.
  const asked = Object.fromEntries(replies) as RailReads
  return { ...ctx, ports: { ...ctx.ports, rail: { ...rail, ...asked } } }
}

function readKey(question: ReadName, args: readonly unknown[]): string {
  return JSON.stringify([question, ...args], (_name, value: unknown) => (typeof value === 'bigint' ? value.toString() : value))
}
