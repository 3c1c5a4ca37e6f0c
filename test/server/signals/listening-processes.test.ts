import { expect, it } from 'vitest'
import { trackListeningProcesses } from '../../../server/signals/listening-processes.ts'
import type { Signal } from '../../../server/signals/signal.ts'

const about = (id: string, seq: number): Signal => ({ topic: 'room', id, seq, from: 'us' })

function open() {
  let at = 0
  const missed: (readonly Signal[])[] = []
  const audience = trackListeningProcesses(
    'us',
    (some) => missed.push(some),
    () => at,
  )
  return { audience, missed, wait: (ms: number) => (at += ms) }
}

it('is empty until another process sends a signal, and again when it is silent', () => {
  const { audience, wait } = open()
  audience.markListening('us')
  expect(audience.isEmpty()).toBe(true)
  audience.markListening('other')
  expect(audience.isEmpty()).toBe(false)
  wait(19_000)
  audience.markListening('other')
  wait(19_000)
  expect(audience.isEmpty()).toBe(false)
  wait(2_000)
  expect(audience.isEmpty()).toBe(true)
})

it('gives a new listener the signals of the last second that no one received, the last of each', () => {
  const { audience, missed, wait } = open()
  audience.keepUnsent([about('old', 1)])
  wait(2_500)
  audience.keepUnsent([about('room', 1)])
  wait(900)
  audience.keepUnsent([about('room', 2), about('another', 1)])
  audience.markListening('other')
  audience.markListening('other')
  expect(missed).toHaveLength(1)
  const ofRoom = missed[0]?.filter(({ id }) => id === 'room')
  expect(ofRoom?.at(-1)).toEqual(about('room', 2))
  expect(missed[0]?.map(({ id }) => id)).toContain('another')
  expect(missed[0]?.map(({ id }) => id)).not.toContain('old')
  // All listeners have received that now; the next one has missed only later signals.
  wait(300)
  audience.keepUnsent([about('later', 1)])
  audience.markListening('third')
  expect(missed[1]).toEqual([about('later', 1)])
})
