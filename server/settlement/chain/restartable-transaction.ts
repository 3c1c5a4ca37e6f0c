import type { Context } from '../../context.ts'
import { inTransaction } from '../../db.ts'
import type { EscrowRail } from '../../ports.ts'

/** What a decision asks of the node or of a signer. */
const questions = ['plan', 'channel', 'head', 'encode', 'accountNonce', 'creditOf'] as const
type Question = (typeof questions)[number]
type Asked = Pick<EscrowRail, Question>
/** What was asked so far, each answer under its question. */
export type Answers = Map<string, unknown>

/** More questions than any decision has: a decision that always asks another one is an error. */
const maxQuestions = 200

class Unanswered extends Error {
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
export async function inTransactionAsking<T>(ctx: Context, work: (tx: Context) => Promise<T>, answers: Answers = new Map()): Promise<T> {
  const answered = withRail(ctx, (question, args, ask) => {
    const key = keyOf(question, args)
    if (answers.has(key)) return answers.get(key)
    throw new Unanswered(key, async () => void answers.set(key, await ask()))
  })
  for (let count = 0; ; count++) {
    try {
      return await inTransaction(answered, work)
    } catch (error) {
      if (!(error instanceof Unanswered) || count === maxQuestions) throw error
      await error.ask()
    }
  }
}

/** The same context, whose answers are kept for a transaction that asks the same later. */
export function remembering(ctx: Context, answers: Answers): Context {
  return withRail(ctx, async (question, args, ask) => {
    const answer = await ask()
    answers.set(keyOf(question, args), answer)
    return answer
  })
}

type Reply = (question: Question, args: readonly unknown[], ask: () => Promise<unknown>) => unknown

/** The rail with other answers to its questions. */
function withRail(ctx: Context, reply: Reply): Context {
  const { rail } = ctx.ports
  const replies = questions.map((question) => {
    const ask = (args: unknown[]) => (rail[question] as (...args: unknown[]) => Promise<unknown>)(...args)
    return [question, async (...args: unknown[]) => reply(question, args, () => ask(args))]
  })
  // Each reply has the type of the method that it is named for.
  const asked = Object.fromEntries(replies) as Asked
  return { ...ctx, ports: { ...ctx.ports, rail: { ...rail, ...asked } } }
}

function keyOf(question: Question, args: readonly unknown[]): string {
  return JSON.stringify([question, ...args], (_name, value: unknown) => (typeof value === 'bigint' ? value.toString() : value))
}
