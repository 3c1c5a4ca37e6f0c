import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import {
  createPeerSendQueue,
  decodePeerMessages,
  encodePeerMessages,
  type PeerMessage,
} from '../../../../server/hub/cluster/peer-send-queue.ts'

it('carries words with their texts, in their order', () => {
  const words: PeerMessage<{ do: string; name?: string }>[] = [
    { message: { do: 'one', name: 'ünï' }, payloads: [] },
    { message: { do: 'two' }, payloads: [Buffer.from('first'), Buffer.alloc(0), Buffer.from('thïrd')] },
    { message: { do: 'three' }, payloads: [Buffer.alloc(70_000, 7)] },
  ]
  expect(decodePeerMessages(encodePeerMessages(words))).toEqual(words)
})

it('refuses what was cut off, or continues behind its end', () => {
  const frame = encodePeerMessages([{ message: {}, payloads: [Buffer.from('text')] }])
  expect(() => decodePeerMessages(frame.subarray(0, -1))).toThrow(RangeError)
  expect(() => decodePeerMessages(Buffer.concat([frame, Buffer.from('x')]))).toThrow(RangeError)
  expect(() => decodePeerMessages(Buffer.from('nothing at all'))).toThrow()
})

it('sends the words of one turn together, and large ones without waiting for more', async () => {
  const sent: Buffer[] = []
  const socket = { OPEN: 1 as const, readyState: 1 as 0 | 1 | 2 | 3, send: (data: unknown) => void sent.push(data as Buffer) }
  const outbox = createPeerSendQueue<number>(socket)
  outbox.send(1)
  outbox.send(2, [Buffer.from('two')])
  expect(sent).toHaveLength(0)
  await setImmediate()
  expect(sent.map((frame) => decodePeerMessages<number>(frame).map(({ message }) => message))).toEqual([[1, 2]])
  outbox.send(3, [Buffer.alloc(5_000_000)])
  expect(sent).toHaveLength(2)
  outbox.send(4)
  socket.readyState = 3
  await setImmediate()
  expect(sent).toHaveLength(2)
})
