import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { runQueriesInOrder } from '../../../server/db/run-queries-in-order.ts'

/** A connection that answers on command, and notes each query. */
function createConnection() {
  const asked: string[] = []
  const answers: { resolve(text: string): void; reject(error: Error): void }[] = []
  const connection = {
    query: (text: string, call?: () => void) => {
      asked.push(text)
      if (call) return undefined
      const { promise, ...answer } = Promise.withResolvers<string>()
      answers.push(answer)
      return promise
    },
  }
  runQueriesInOrder(connection)
  return { connection, asked, answers }
}

describe('runQueriesInOrder', () => {
  it('asks at once where no one waits, and the next only after the answer, be it a failure', async () => {
    const { connection, asked, answers } = createConnection()
    const [first, second, third] = ['one', 'two', 'three'].map((text) => connection.query(text))
    expect(asked).toEqual(['one'])
    answers[0]?.reject(new Error('no'))
    await expect(first).rejects.toThrow('no')
    await turn()
    expect(asked).toEqual(['one', 'two'])
    answers[1]?.resolve('2')
    expect(await second).toBe('2')
    await turn()
    answers[2]?.resolve('3')
    expect(await third).toBe('3')
    await turn()
    void connection.query('four')
    expect(asked).toEqual(['one', 'two', 'three', 'four'])
  })
  it('leaves who is called back alone', () => {
    const { connection, asked } = createConnection()
    void connection.query('one')
    connection.query('two', () => {})
    expect(asked).toEqual(['one', 'two'])
  })
})
