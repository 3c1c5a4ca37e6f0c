/** A connection, as far as it is asked with a promise for an answer. */
type Asked = { query: (...question: never[]) => unknown }

/**
 * Makes a connection take one question at a time, those that come meanwhile in their order: the client asks for related rows
 * beside one another, also in a transaction, which has one connection only, and that must not be asked while it answers.
 */
export function serializeQueries(connection: Asked): void {
  const ask = connection.query.bind(connection) as (...question: unknown[]) => unknown
  let last: Promise<unknown> | null = null
  connection.query = (...question: unknown[]) => {
    // Who waits for no promise has the connection alone.
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
