import { reduceConversation, startConversation, summarizeTurn } from '@parley/agents'
import type { DeliveredEnvelope, Room } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { charterOf } from '../charters.ts'
import { id, uuid } from '../stub-hub.ts'

const [lead, worker, server] = ['did:web:x.example:agents:lead', 'did:web:x.example:agents:worker', 'did:key:z6MkServer']
const room_id = id('rom')
const charter = charterOf({ principal: lead, room_id, members: [{ did: worker, skill_id: 'text.shout' }] })
const line = (seq: number, sender_id: string, parts: object[], more: object = {}) =>
  ({
    v: '1',
    id: uuid(),
    room_id,
    sender_id,
    state: 'discussion',
    type: 'discussion',
    seq,
    received_at: new Date(seq).toISOString(),
    parts,
    ...more,
  }) as unknown as DeliveredEnvelope

function talked(words: readonly string[], observed?: string) {
  const messages = words.map((text, index) => line(index + 2, index % 2 ? lead : worker, [{ text }]))
  const all = [line(1, lead, [{ data: { kind: 'charter', charter, charter_hash: '0x' } }], { type: 'propose' }), ...messages]
  const conversation = all.reduce(reduceConversation, startConversation(room_id, server))
  return summarizeTurn({ conversation, newMessages: messages, room: conversation.room as Room, ...(observed && { observation: observed }) })
}

describe('summarizeTurn', () => {
  it('lists the members and the new messages, with short names', () => {
    expect(talked(['Shall we?', 'Yes.']).split('\n')).toEqual([
      'room open, lead lead, with lead worker',
      'messages 1–1 are in the room',
      '2 worker Shall we?',
      '3 lead Yes.',
    ])
    expect(talked(['Well?'], 'The door is open.').split('\n').at(-1)).toBe('you observe: The door is open.')
  })
  it('stays short however long the talk was', () => {
    const long = (count: number) => talked(Array.from({ length: count }, (_, n) => `${n} ${'word '.repeat(400)}`)).length
    expect(long(300)).toBeLessThan(long(8) * 1.02)
    expect(long(300)).toBeLessThan(10_000)
  })
})
