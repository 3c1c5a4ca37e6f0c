import { connect, type RoomMessage } from '@parley/agents'
import { randomSeed, type Signer, signerFromSeed } from '@parley/protocol'
import { beforeEach, describe, expect, it } from 'vitest'
import { charterOf } from '../charters.ts'
import { createStubHub, id, type StubHub, uuid } from '../stub-hub.ts'

let signer: Signer
let peer: Signer

beforeEach(async () => {
  signer = await signerFromSeed(randomSeed())
  peer = await signerFromSeed(randomSeed())
})

const join = (hub: StubHub) => connect({ url: hub.url, signer, backoff: { baseMs: 5, capMs: 20 } })
const text = (value: string) => [{ text: value }]

describe('replay', () => {
  it('reads a room again without handling anything twice', async () => {
    await using hub = await createStubHub()
    const room = id('rom')
    for (const word of ['a', 'b', 'c']) await hub.postMessage(room, text(word))
    const opened = hub.rooms.get(room)
    if (opened) opened.acked = 3
    const session = await join(hub)
    const seen: RoomMessage[] = []
    session.on('message', (message) => void seen.push(message))
    const read: (string | undefined)[] = []
    await session.replay(room, 0, (envelope) => void read.push(envelope.parts[0]?.text))
    expect(read).toEqual(['a', 'b', 'c'])
    expect(seen).toEqual([])
    session.close()
  })

  it('continues after a reconnect in the middle', async () => {
    await using hub = await createStubHub()
    const room = id('rom')
    for (const word of ['a', 'b', 'c']) await hub.postMessage(room, text(word))
    const opened = hub.rooms.get(room)
    if (opened) opened.acked = 3
    const session = await join(hub)
    const whole = opened?.messages ?? []
    const kept = whole.splice(2)
    const read: (string | undefined)[] = []
    const reading = session.replay(room, 0, (envelope) => void read.push(envelope.parts[0]?.text))
    await hub.until(() => hub.of('subscribe').length === 1)
    whole.push(...kept)
    hub.socket?.terminate()
    await reading
    expect(read).toEqual(['a', 'b', 'c'])
    session.close()
  })

  it('gives the conversation up to the message available, and keeps it so', async () => {
    await using hub = await createStubHub()
    const charter = charterOf({ principal: peer.did, members: [{ did: signer.did, skill_id: 'text.shout' }] })
    const { room_id } = charter
    await hub.postMessage(room_id, [{ data: { kind: 'charter', charter, charter_hash: '0x1' } as never }], { type: 'propose' }, peer)
    const opened = hub.rooms.get(room_id)
    if (opened) opened.acked = 1
    const session = await join(hub)
    expect(await session.conversation(room_id)).toMatchObject({ seq: 1, charter: { version: 1 }, charterHash: '0x1' })
    const seqs: number[] = []
    session.on('message', async () => void seqs.push((await session.conversation(room_id)).seq))
    await hub.postMessage(room_id, text('b'))
    await hub.postMessage(room_id, text('c'), { id: uuid() })
    await hub.until(() => opened?.acked === 3)
    expect(seqs).toEqual([2, 3])
    expect(hub.of('subscribe')).toHaveLength(1)
    session.close()
  })
})
