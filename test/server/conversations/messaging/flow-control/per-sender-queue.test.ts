import { expect, it } from 'vitest'
import { createPerSenderQueue } from '../../../../../server/conversations/messaging/flow-control/per-sender-queue.ts'

function open() {
  const senders = createPerSenderQueue<string>()
  const done: string[] = []
  const hand = (sender: string, given: string | Promise<string>) =>
    senders.enqueue(
      sender,
      given,
      (ready) => void done.push(ready),
      (error) => void done.push(`failed: ${(error as Error).message}`),
    )
  return { done, hand }
}
const turn = () => new Promise(setImmediate)

it('hands on at once what is ready, where nothing of its sender comes before it', () => {
  const { done, hand } = open()
  hand('a', 'one')
  hand('a', 'two')
  expect(done).toEqual(['one', 'two'])
})

it('keeps the order of each sender, and holds up no other', async () => {
  const { done, hand } = open()
  const [slow, later] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()]
  hand('a', slow.promise)
  hand('a', 'two')
  hand('a', later.promise)
  hand('b', 'other')
  later.resolve('three')
  await turn()
  expect(done).toEqual(['other'])
  slow.resolve('one')
  await turn()
  expect(done).toEqual(['other', 'one', 'two', 'three'])
})

it('continues behind one that failed, which is reported in its turn', async () => {
  const { done, hand } = open()
  const [slow, bad] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()]
  hand('a', slow.promise)
  hand('a', bad.promise)
  hand('a', 'three')
  bad.reject(new Error('bad'))
  await turn()
  slow.resolve('one')
  await turn()
  expect(done).toEqual(['one', 'failed: bad', 'three'])
  hand('a', 'four')
  expect(done.at(-1)).toBe('four')
})
