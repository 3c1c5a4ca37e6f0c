import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createOutbox, type LinkWord, readWords, writeWords } from '../../../../server/hub/cluster/framing.ts'

it('carries words with their texts, in their order', () => {
  const words: LinkWord<{ do: string; name?: string }>[] = [
    { word: { do: 'one', name: 'ünï' }, texts: [] },
    { word: { do: 'two' }, texts: [Buffer.from('first'), Buffer.alloc(0), Buffer.from('thïrd')] },
    { word: { do: 'three' }, texts: [Buffer.alloc(70_000, 7)] },
  ]
  expect(readWords(writeWords(words))).toEqual(words)
})

it('refuses what was cut off, or goes on behind its end', () => {
  const frame = writeWords([{ word: {}, texts: [Buffer.from('text')] }])
  expect(() => readWords(frame.subarray(0, -1))).toThrow(RangeError)
  expect(() => readWords(Buffer.concat([frame, Buffer.from('x')]))).toThrow(RangeError)
  expect(() => readWords(Buffer.from('nothing at all'))).toThrow()
})

it('sends the words of one turn together, and large ones without waiting for more', async () => {
  const sent: Buffer[] = []
  const socket = { OPEN: 1 as const, readyState: 1 as 0 | 1 | 2 | 3, send: (data: unknown) => void sent.push(data as Buffer) }
  const outbox = createOutbox<number>(socket)
  outbox.put(1)
  outbox.put(2, [Buffer.from('two')])
  expect(sent).toHaveLength(0)
  await setImmediate()
  expect(sent.map((frame) => readWords<number>(frame).map(({ word }) => word))).toEqual([[1, 2]])
  outbox.put(3, [Buffer.alloc(5_000_000)])
  expect(sent).toHaveLength(2)
  outbox.put(4)
  socket.readyState = 3
  await setImmediate()
  expect(sent).toHaveLength(2)
})
