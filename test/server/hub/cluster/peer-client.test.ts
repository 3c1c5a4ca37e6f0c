import { EventEmitter } from 'node:events'
import type { PostMessage } from '@parley/protocol'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Completion, PostResult } from '../../../../server/conversations/index.ts'
import type { ValidatedPost } from '../../../../server/conversations/messaging/validate-post.ts'
import { DomainError, serverUnavailable } from '../../../../server/errors.ts'
import { createPeerClient } from '../../../../server/hub/cluster/peer-client.ts'
import { servePostsOfPeerHub } from '../../../../server/hub/cluster/serve-posts-of-peer-hub.ts'

beforeEach(() => vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }))
afterEach(() => vi.useRealTimers())

const turn = () => new Promise((resolve) => setImmediate(resolve))

/** Both ends of a connection. What is sent comes within the next turn, unless it is cut: then no end receives from the other. */
function connection() {
  const cut = { isCut: false }
  const ends = [0, 1].map(() => Object.assign(new EventEmitter(), { readyState: 1, OPEN: 1, bufferedAmount: 0 })) as never as [Ended, Ended]
  for (const [at, end] of ends.entries()) {
    const other = ends[1 - at] as Ended
    const pass = (event: string, data?: Buffer) => setImmediate(() => !cut.isCut && other.emit(event, data))
    end.send = (data: Buffer) => void pass('message', data)
    end.ping = () => void setImmediate(() => !cut.isCut && end.emit('pong'))
    end.terminate = () => {
      end.readyState = 3
      for (const one of ends) setImmediate(() => one.emit('close'))
    }
  }
  return { ends, cut }
}
type Ended = EventEmitter & { readyState: number; bufferedAmount: number; send(data: Buffer): void; ping(): void; terminate(): void }

const post = (text: string) =>
  ({
    kind: 'vouched',
    roomId: 'rom_a',
    sender: 'did:key:a',
    by: 'agent',
    parts: [{ text }],
    next: [],
    bytes: 1,
    delegation: `{"of":"${text}"}`,
    template: {
      id: `id of ${text}`,
      roomId: 'rom_a',
      sender: 'did:key:a',
      content: { act: 'discussion', parts: [{ text }] },
      parts: [JSON.stringify([{ text }])],
    },
  }) as never as ValidatedPost & PostMessage

/** A road, and the hub at its end, whose board is answered manually. */
function open() {
  const { ends, cut } = connection()
  const [here, there] = ends
  const awake = { isAwake: true, isResponsive: () => awake.isAwake, close: () => undefined }
  const received: string[] = []
  const asked = new Map<string, Completion<PostResult>>()
  const board = { postLocally: (one: ValidatedPost, end: Completion<PostResult>) => void asked.set(one.parts[0]?.text ?? '', end) }
  const events = (name: string) => (roomId?: string) => void received.push(roomId ? `${name} ${roomId}` : name)
  const peerServer = servePostsOfPeerHub(there as never, board, awake, {
    follow: events('follow'),
    leave: events('leave'),
    ended: events('guest ended'),
  })
  const road = createPeerClient(
    here as never,
    { isResponsive: () => true, close: () => undefined },
    {
      onCommitted: (roomId, first, bodies) => void received.push(`${roomId} ${first} ${bodies.join(' ')}`),
      onPosted: events('said'),
      leaving: events('leaving'),
      ended: events('road ended'),
    },
  )
  const send = (text: string) =>
    road.post(post(text), {
      resolve: ({ seq, id }) => void received.push(`${text}: ${seq}, ${id}`),
      reject: (error) => void received.push(`${text}: ${(error as DomainError).code ?? (error as Error).message}`),
      lost: () => void received.push(`${text}: lost`),
    })
  const settle = async () => {
    for (let turns = 0; turns < 4; turns++) await turn()
  }
  return { road, guest: peerServer, send, asked, received, awake, cut, there, settle }
}

it('brings posts in their order, and each its own answer, whenever that comes', async () => {
  const { road, guest: peerServer, send, asked, received, settle } = open()
  for (const text of ['one', 'two', 'three']) send(text)
  await settle()
  expect([...asked.keys()]).toEqual(['one', 'two', 'three'])
  expect([road.inFlight(), peerServer.inFlight()]).toEqual([3, 3])
  const refusal = new DomainError('room.not_member', 'not here', { hint: 'join', facts: { room_id: 'rom_a' } })
  asked.get('two')?.reject(refusal)
  asked.get('one')?.resolve({ room_id: 'rom_a', seq: 7, id: 'id of one' })
  asked.get('three')?.reject(new TypeError('a secret of the other hub'))
  await settle()
  expect(received).toEqual([
    'two: room.not_member',
    'said rom_a',
    'one: 7, id of one',
    'three: the hub that this room is at home at failed',
  ])
  expect([road.inFlight(), peerServer.inFlight()]).toEqual([0, 0])
})

it('reports a refusal as the other hub reported it', async () => {
  const { road, asked, settle } = open()
  const { promise, reject } = Promise.withResolvers<PostResult>()
  road.post(post('one'), { resolve: () => undefined, reject, lost: () => undefined })
  await settle()
  const refusal = new DomainError('room.not_member', 'not here', { hint: 'join', facts: { room_id: 'rom_a' } })
  asked.get('one')?.reject(refusal)
  const error = await promise.catch((one: unknown) => one)
  expect(error).toBeInstanceOf(DomainError)
  expect(error).toMatchObject({ code: 'room.not_member', message: 'not here', hint: 'join', facts: { room_id: 'rom_a' } })
})

it('follows rooms until they are left, and receives their messages', async () => {
  const { road, guest: peerServer, received, settle } = open()
  road.follow('rom_a')
  road.follow('rom_a')
  await settle()
  peerServer.publish('rom_a', 4, [Buffer.from('vier'), Buffer.from('fünf')])
  await settle()
  road.unfollow('rom_a')
  road.unfollow('rom_a')
  await settle()
  peerServer.askToDrain()
  await settle()
  expect(received).toEqual(['follow rom_a', 'rom_a 4 vier fünf', 'leave rom_a', 'leaving'])
})

it('sends nothing to a peer that does not read: it reads the log', async () => {
  const { guest: peerServer, there, received, settle } = open()
  there.bufferedAmount = 9_000_000
  peerServer.publish('rom_a', 1, [Buffer.from('much')])
  await settle()
  expect(received).toEqual([])
})

it('is abandoned where the other one is silent, and says of all that was in progress, in its order, that it is lost', async () => {
  const { road, send, received, cut, settle } = open()
  for (const text of ['one', 'two']) send(text)
  await settle()
  for (let ms = 0; ms < 3_000; ms += 500) {
    vi.advanceTimersByTime(500)
    await settle()
  }
  expect(received).toEqual([])
  cut.isCut = true
  for (let ms = 0; ms < 2_000; ms += 500) {
    vi.advanceTimersByTime(500)
    await settle()
  }
  expect(received).toEqual(['road ended', 'one: lost', 'two: lost', 'guest ended'])
  send('three')
  expect(received.at(-1)).toBe('three: lost')
  expect(road.inFlight()).toBe(0)
})

it('is abandoned where the other one lives and answers nothing, as it may have lost what others have', async () => {
  const { send, received, settle } = open()
  send('one')
  for (let ms = 0; ms < 6_000; ms += 500) {
    vi.advanceTimersByTime(500)
    await settle()
    if (ms < 4_000) expect(received).toEqual([])
  }
  expect(received).toEqual(['road ended', 'one: lost', 'guest ended'])
})

it('is dropped whole by a hub that has lost its database, so that nothing later overtakes what it can not say', async () => {
  const { send, asked, received, settle } = open()
  for (const text of ['one', 'two']) send(text)
  await settle()
  asked.get('one')?.reject(serverUnavailable(null))
  asked.get('two')?.resolve({ room_id: 'rom_a', seq: 8, id: 'id of two' })
  await settle()
  expect(received).toEqual(['guest ended', 'road ended', 'one: lost', 'two: lost'])
})

it('is dropped unread by a hub that was stopped, as others have said those words meanwhile', async () => {
  const { send, asked, received, awake, settle } = open()
  awake.isAwake = false
  send('one')
  await settle()
  expect(asked.size).toBe(0)
  expect(received).toEqual(['guest ended', 'road ended', 'one: lost'])
})

it('is closed on a message that no hub sends', async () => {
  const { there, road, received, settle } = open()
  there.emit('message', Buffer.from('GET / HTTP/1.1'))
  await settle()
  expect(received).toEqual(['guest ended', 'road ended'])
  expect(road.inFlight()).toBe(0)
})
