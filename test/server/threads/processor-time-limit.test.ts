import { setTimeout } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { limitProcessorTime } from '../../../server/threads/processor-time-limit.ts'

/** Uses the processor for so many milliseconds of its time. */
async function work(ms: number, isOver: () => boolean): Promise<void> {
  const before = process.cpuUsage()
  for (;;) {
    const { user, system } = process.cpuUsage(before)
    if (isOver() || (user + system) / 1_000 >= ms) return
    for (let i = 0; i < 1e6; i++);
    await setTimeout(0)
  }
}

it('does not abort while the process waits, and aborts when the process has worked for so long', async () => {
  const abort = new AbortController()
  const end = limitProcessorTime(abort, 1_500)
  await setTimeout(1_700)
  expect(abort.signal.aborted).toBe(false)
  await work(20_000, () => abort.signal.aborted)
  expect(abort.signal.aborted).toBe(true)
  end()
})

it('aborts after twelve times as much real time in any case', async () => {
  const abort = new AbortController()
  limitProcessorTime(abort, 40)
  // Other work of this process can only make it sooner.
  await setTimeout(1_000)
  expect(abort.signal.aborted).toBe(true)
})

it('does not abort after its end', async () => {
  const abort = new AbortController()
  limitProcessorTime(abort, 50)()
  await work(150, () => false)
  await setTimeout(200)
  expect(abort.signal.aborted).toBe(false)
})
