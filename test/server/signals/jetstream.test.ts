import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectJetStream } from '../../../server/signals/jetstream.ts'
import { natsMissing, startNats, type TestNats } from '../../support/nats.ts'
import { createWorld, type TestWorld } from '../../support/world.ts'
import { wakeSuite } from './signals.suite.ts'

describe.skipIf(natsMissing !== null)(`JetStream${natsMissing ? ` (${natsMissing})` : ''}`, () => {
  const name = 'suite'
  let nats: TestNats
  let world: TestWorld
  beforeAll(async () => {
    nats = await startNats()
    world = await createWorld({ hub: false, jobs: false, env: { NATS_URL: nats.url, NATS_STREAM: name } })
  })
  afterAll(async () => {
    await world?.[Symbol.asyncDispose]()
    await nats?.[Symbol.asyncDispose]()
  })
  const open = (stream = name) => connectJetStream({ url: nats.url, name: stream, log: world.system.log })

  wakeSuite(() => ({
    world,
    connect: open,
    async putRaw(text) {
      const connection = await connect({ servers: nats.url })
      await jetstream(connection).publish(`${name}.wake`, text)
      await connection.close()
    },
    async breakOff() {
      await nats.kill()
      await nats.start()
    },
  }))

  it('keeps signals while NATS is unavailable, once for each changed object', async () => {
    const teller = await open('kept')
    await nats.kill()
    for (const seq of [1, 3, 2]) teller.publish([{ topic: 'room', id: 'away', seq, from: 'teller' }])
    await nats.start()
    const connection = await connect({ servers: nats.url })
    const manager = await jetstreamManager(connection)
    const kept = await world.until('the signal', () => manager.streams.getMessage('kept', { seq: 1 }).catch(() => null))
    expect(kept.json()).toEqual([{ topic: 'room', id: 'away', seq: 3, from: 'teller' }])
    await Promise.all([teller.close(), connection.close()])
  })

  it('keeps two that share a NATS apart', async () => {
    const [own, foreign] = await Promise.all([open(), open('another')])
    const received: string[] = []
    own.on((signal) => received.push(signal === 'reconnected' ? signal : signal.id))
    foreign.publish([{ topic: 'agent', id: 'theirs' }])
    own.publish([{ topic: 'agent', id: 'ours' }])
    await world.until('our own', async () => received.includes('ours'))
    expect(received).toEqual(['ours'])
    await Promise.all([own.close(), foreign.close()])
  })
})
