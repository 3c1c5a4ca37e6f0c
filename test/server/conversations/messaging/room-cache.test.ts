import { describe, expect, it } from 'vitest'
import { createRoomCache } from '../../../../server/conversations/messaging/room-cache.ts'
import type { RoomSnapshot } from '../../../../server/conversations/messaging/sequence-messages.ts'
import type { ValidatedPost } from '../../../../server/conversations/messaging/validate-post.ts'

const server = 'did:web:market'
const roomAt = (head: number, version = 1): RoomSnapshot => ({
  row: {
    conversation: {
      roomId: 'rom_1',
      goalId: 'gol_1',
      state: 'discussion',
      nextSpeakers: [],
      triggers: [],
      openQuestionId: null,
      isPublic: false,
      requiresConfirmation: false,
      version,
    },
    clientId: 'did:client',
    members: new Set(['did:one']),
    isBounded: false,
  },
  log: { head, hash: `hash ${head}`, knownIds: new Map(), minNewId: '' },
})
const messageOf = (seq: number, more: object = {}) => ({
  seq,
  hash: `hash ${seq}`,
  body: JSON.stringify({ sender_id: 'did:two', type: 'discussion', state: 'discussion', ...more }),
})
const find = (rooms: ReturnType<typeof createRoomCache>, later = 1_000) => {
  time += later
  return rooms.find({ roomId: 'rom_1', sender: 'did:one' } as ValidatedPost)
}

let time = 0
function known(head: number) {
  const rooms = createRoomCache(server, () => time)
  rooms.put(new Map([['rom_1', roomAt(head)]]))
  return rooms
}

describe('a room that another process speaks in', () => {
  it('is asked while it is known to continue, and known again once that was overheard', () => {
    const rooms = known(3)
    rooms.markStale('rom_1', 5)
    expect(find(rooms)).toBeUndefined()
    rooms.applyRemote('rom_1', [messageOf(4)])
    expect(find(rooms)).toBeUndefined()
    rooms.applyRemote('rom_1', [messageOf(4), messageOf(5)])
    expect(find(rooms)).toMatchObject({ log: { head: 5, hash: 'hash 5' }, row: { conversation: { state: 'discussion', version: 1 } } })
  })

  it('stands where its messages have moved the talk, and what the server says moves none', () => {
    const rooms = known(3)
    rooms.applyRemote('rom_1', [messageOf(4, { state: 'task_assignment' }), messageOf(5, { sender_id: server, state: 'conclusion' })])
    expect(find(rooms)).toMatchObject({ log: { head: 5 }, row: { conversation: { state: 'task_assignment', version: 2 } } })
  })

  it('is forgotten where something between is missing or can’t be read', () => {
    for (const messages of [[messageOf(5)], [{ ...messageOf(4), body: 'damaged' }]]) {
      const rooms = known(3)
      rooms.markStale('rom_1', messages.at(-1)?.seq)
      rooms.applyRemote('rom_1', messages)
      expect(find(rooms)).toBeUndefined()
    }
  })

  it('is asked while the others may be speaking at this moment', () => {
    const rooms = known(3)
    rooms.markStale('rom_1', 4)
    rooms.applyRemote('rom_1', [messageOf(4)])
    expect(find(rooms, 4)).toBeUndefined()
    expect(find(rooms, 1)).toBeDefined()
  })

  it('is not asked for what comes late and is known', () => {
    const rooms = known(3)
    rooms.markStale('rom_1', 3)
    expect(find(rooms, 0)).toBeDefined()
  })

  it('is asked for a while where it was taken otherwise than it stood', () => {
    const rooms = known(3)
    rooms.evictContended(['rom_1'])
    rooms.put(new Map([['rom_1', roomAt(5)]]))
    expect(find(rooms, 249)).toBeUndefined()
    expect(find(rooms, 1)).toBeDefined()
  })

  it('is asked where word of our own earlier message comes after that of a later one', () => {
    const rooms = known(3)
    rooms.markStale('rom_1', 5)
    rooms.applyRemote('rom_1', [messageOf(4), messageOf(5)])
    rooms.put(new Map([['rom_1', roomAt(4)]]))
    expect(find(rooms)).toBeUndefined()
    rooms.markStale('rom_1', undefined)
    rooms.put(new Map([['rom_1', roomAt(5)]]))
    expect(find(rooms)).toBeDefined()
  })
})
