/** A connection whose `query` returns a promise. */
type Asked = { query: (...question: never[]) => unknown }

/**
 * Makes a connection run one query at a time, in call order. The Prisma client loads relations in parallel, also inside a transaction,
 * which has only one connection.
 */
export function runQueriesInOrder(connection: Asked): void {
  const ask = connection.query.bind(connection) as (...question: unknown[]) => unknown
  let last: Promise<unknown> | null = null
  connection.query = (...question: unknown[]) => {
    // A caller with a callback uses the connection alone.
    if (typeof question.at(-1) === 'function') return ask(...question)
    const answer = last ? last.then(() => ask(...question)) : ask(...question)
    if (!(answer instanceof Promise)) return answer
    const isOver = () => {
      if (last === over) last = null
    }
    const over: Promise<unknown> = answer.then(isOver, isOver)
    last = over
    return answer
  }
}
