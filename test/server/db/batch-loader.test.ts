import { expect, it } from 'vitest'
import { createBatchLoader } from '../../../server/db/batch-loader.ts'

function openAsking(answer: (one: number) => number = (one) => -one) {
  const asked: number[][] = []
  const ask = createBatchLoader(3, async (batch: readonly number[]) => {
    asked.push([...batch])
    await Promise.resolve()
    return batch.map(answer)
  })
  return { asked, ask }
}

it('asks together what comes at one moment, and what came meanwhile, so many at a time', async () => {
  const { asked, ask } = openAsking()
  expect(await Promise.all([1, 2, 3, 4, 5].map(ask))).toEqual([-1, -2, -3, -4, -5])
  expect(asked).toEqual([
    [1, 2, 3],
    [4, 5],
  ])
  const sixth = ask(6)
  await Promise.resolve()
  expect(await Promise.all([sixth, ask(7), ask(8)])).toEqual([-6, -7, -8])
  expect(asked.slice(2)).toEqual([[6], [7, 8]])
})

it('asks each separately where one of them spoils the answer, and none again where the database is unavailable', async () => {
  const { asked, ask } = openAsking((one) => {
    if (one === 3) throw new RangeError('three')
    if (one === 7) throw new Error('Connection terminated')
    return one
  })
  const outcomes = async (ones: number[]) =>
    (await Promise.allSettled(ones.map(ask))).map((one) => (one.status === 'fulfilled' ? one.value : (one.reason as Error).message))
  expect(await outcomes([1, 2, 3, 4])).toEqual([1, 2, 'three', 4])
  expect(asked).toEqual([[1, 2, 3], [1], [2], [3], [4]])
  expect(await outcomes([5, 6, 7])).toEqual(['Connection terminated', 'Connection terminated', 'Connection terminated'])
  expect(asked.slice(5)).toEqual([[5, 6, 7]])
})
