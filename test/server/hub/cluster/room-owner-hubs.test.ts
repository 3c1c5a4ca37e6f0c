import { expect, it } from 'vitest'
import { rendezvousHashOwner } from '../../../../server/hub/cluster/rendezvous-hash.ts'
import { createRoomOwnerHubs } from '../../../../server/hub/cluster/room-owner-hubs.ts'

const isThere = () => true
/** A room whose home, of these hubs, is the one. */
const roomOf = (hub: string, hubs: readonly string[]) =>
  Array.from({ length: 1_000 }, (_, index) => `rom_${index}`).find((roomId) => rendezvousHashOwner(hubs, roomId) === hub) as string

it('every hub chooses the same home, rooms are spread over all, and only those of a hub that goes move', () => {
  const rooms = Array.from({ length: 3_000 }, (_, index) => `rom_${index}`)
  const homes = rooms.map((roomId) => rendezvousHashOwner(['a', 'b', 'c'], roomId))
  expect(rooms.map((roomId) => rendezvousHashOwner(['c', 'a', 'b'], roomId))).toEqual(homes)
  for (const hub of ['a', 'b', 'c']) expect(homes.filter((home) => home === hub).length).toBeGreaterThan(800)
  const without = rooms.map((roomId) => rendezvousHashOwner(['a', 'c'], roomId))
  for (const [index, home] of homes.entries()) if (home !== 'b') expect(without[index]).toBe(home)
  expect(rendezvousHashOwner([], 'rom_1')).toBe(null)
})

it('a room is at home elsewhere once others speak in it as well, and only where they can be reached', () => {
  let at = 0
  const shared = createRoomOwnerHubs('a', () => at)
  const roomId = roomOf('b', ['a', 'b'])
  expect(shared.ownerOf(roomId, isThere)).toBe(null)
  for (let word = 0; word < 3; word++) shared.noteRemoteWrite(roomId, 'b')
  expect(shared.ownerOf(roomId, isThere)).toBe(null)
  // Slow talk is in no one's way.
  at = 1_500
  for (let word = 0; word < 3; word++) shared.noteRemoteWrite(roomId, 'b')
  expect(shared.ownerOf(roomId, isThere)).toBe(null)
  shared.noteRemoteWrite(roomId, 'b')
  expect(shared.ownerOf(roomId, isThere)).toBe('b')
  shared.invalidate()
  expect(shared.ownerOf(roomId, () => false)).toBe(null)
  expect(shared.ownerOf(roomOf('b', ['a', 'b']).replace('rom', 'other'), isThere)).toBe(null)
})

it('a room stays where this hub ranks first, and goes to who ranks higher as soon as that one is known', () => {
  const shared = createRoomOwnerHubs('a', () => 0)
  const own = roomOf('a', ['a', 'b', 'c'])
  for (let word = 0; word < 9; word++) shared.noteRemoteWrite(own, word % 2 ? 'b' : 'c')
  expect(shared.ownerOf(own, isThere)).toBe(null)
  const moving = Array.from({ length: 1_000 }, (_, index) => `rom_${index}`).find(
    (roomId) => rendezvousHashOwner(['a', 'b'], roomId) === 'b' && rendezvousHashOwner(['a', 'b', 'c'], roomId) === 'c',
  ) as string
  for (let word = 0; word < 4; word++) shared.noteRemoteWrite(moving, 'b')
  expect(shared.ownerOf(moving, isThere)).toBe('b')
  shared.noteRemoteWrite(moving, 'c')
  expect(shared.ownerOf(moving, isThere)).toBe('c')
})

it('a room comes back where no one else has spoken in it for a while', () => {
  let at = 0
  const shared = createRoomOwnerHubs('a', () => at)
  const roomId = roomOf('b', ['a', 'b'])
  for (let word = 0; word < 4; word++) shared.noteRemoteWrite(roomId, 'b')
  expect(shared.ownerOf(roomId, isThere)).toBe('b')
  // Its home hub announces all messages there: six of others and four of ours.
  shared.noteReceived(roomId, 10)
  for (let word = 0; word < 4; word++) shared.noteForwarded(roomId)
  at = 10_001
  expect(shared.ownerOf(roomId, isThere)).toBe('b')
  // And then our own words alone.
  shared.noteReceived(roomId, 50)
  for (let word = 0; word < 50; word++) shared.noteForwarded(roomId)
  at = 20_002
  expect(shared.ownerOf(roomId, isThere)).toBe(null)
})
