import { expect, it } from 'vitest'
import { createInFlightFrames } from '../../../../server/hub/connection/in-flight-frames.ts'

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
  const inHand = createInFlightFrames()
  expect(inHand.isEmpty()).toBe(true)
  expect(await isDone(inHand.drained())).toBe(true)
  inHand.postStarted()
  inHand.postStarted()
  const [one, other] = [inHand.drained(), inHand.drained()]
  inHand.postFinished()
  expect(inHand.isEmpty()).toBe(false)
  expect(await isDone(one)).toBe(false)
  inHand.postFinished()
  expect(inHand.isEmpty()).toBe(true)
  expect(await isDone(Promise.all([one, other]))).toBe(true)
  // Work that begins afterwards is waited for again.
  inHand.postStarted()
  expect(await isDone(inHand.drained())).toBe(false)
})

it('waits for the last ack, and counts those that are written together once', async () => {
  const inHand = createInFlightFrames()
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let over = 0
  const note = () => over++
  expect([first, first, second].map(({ promise }) => inHand.ack(promise, note))).toEqual([true, false, true])
  const done = inHand.drained()
  first.resolve()
  expect(await isDone(done)).toBe(false)
  expect([over, inHand.isEmpty()]).toEqual([1, false])
  second.reject(new Error('lost'))
  await expect(done).rejects.toThrow('lost')
  expect([over, inHand.isEmpty()]).toEqual([2, true])
})
