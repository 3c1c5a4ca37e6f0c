import { expect, it } from 'vitest'
import { createInHand } from '../../../../server/hub/connection/in-flight.ts'

/** Whether it has settled by the time that all which waits for nothing has run. */
async function isDone(promise: Promise<unknown>): Promise<boolean> {
  let isOver = false
  const note = () => {
    isOver = true
  }
  void promise.then(note, note)
  await new Promise(setImmediate)
  return isOver
}

it('is done when the last of the talk has its answer, and at once where there is none', async () => {
  const inHand = createInHand()
  expect(inHand.isNothing()).toBe(true)
  expect(await isDone(inHand.done())).toBe(true)
  inHand.talkBegan()
  inHand.talkBegan()
  const [one, other] = [inHand.done(), inHand.done()]
  inHand.talkEnded()
  expect(inHand.isNothing()).toBe(false)
  expect(await isDone(one)).toBe(false)
  inHand.talkEnded()
  expect(inHand.isNothing()).toBe(true)
  expect(await isDone(Promise.all([one, other]))).toBe(true)
  // What begins afterwards is waited for anew.
  inHand.talkBegan()
  expect(await isDone(inHand.done())).toBe(false)
})

it('waits for the last ack, and counts those that are written together once', async () => {
  const inHand = createInHand()
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let over = 0
  const note = () => over++
  expect([first, first, second].map(({ promise }) => inHand.ack(promise, note))).toEqual([true, false, true])
  const done = inHand.done()
  first.resolve()
  expect(await isDone(done)).toBe(false)
  expect([over, inHand.isNothing()]).toEqual([1, false])
  second.reject(new Error('lost'))
  await expect(done).rejects.toThrow('lost')
  expect([over, inHand.isNothing()]).toEqual([2, true])
})
