import { once } from 'node:events'
import net from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startHub } from '../../../server/hub/index.ts'
import { listLoad } from '../../../server/telemetry/index.ts'
import { createWorld, type TestPerson, type TestWorld } from '../../support/world.ts'
import { connectLine, fillInbox, listAgent, openLine } from './bare-agent.ts'

let world: TestWorld
let owner: TestPerson
beforeAll(async () => {
  world = await createWorld()
  owner = await world.person({ usdc: 0n })
})
afterAll(() => world?.[Symbol.asyncDispose]())

const start = () => startHub(world.world.contextFor({ kind: 'anonymous' }), world.world.listener, { host: '127.0.0.1', port: 0 })

/** Bytes as a stranger may send them, and the first line of what comes back. */
async function speakRaw(text: string, options: { reset?: boolean } = {}): Promise<string> {
  const socket = net.connect(Number(new URL(world.hubUrl).port), '127.0.0.1')
  await once(socket, 'connect')
  const { promise, resolve } = Promise.withResolvers<string>()
  socket.once('data', (data) => resolve(data.toString().split('\r\n')[0] ?? ''))
  socket.once('close', () => resolve('closed'))
  socket.on('error', () => undefined)
  socket.write(text)
  if (options.reset) socket.resetAndDestroy()
  return promise.finally(() => socket.destroy())
}

const upgrade = (target: string) =>
  `GET ${target} HTTP/1.1\r\nHost: hub\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`

it('tells operators how it stands while it runs, and is forgotten when it has ended in order', async () => {
  const own = async () => (await listLoad(world.system)).map(({ hub, name }) => `${hub} ${name}`)
  const hub = await start()
  await world.until('its first word', async () => (await own()).some((one) => one.endsWith(`:${hub.port}`)))
  await hub.close()
  expect((await own()).filter((one) => one.endsWith(`:${hub.port}`))).toEqual([])
  expect(await own()).not.toEqual([])
})

describe('the door', () => {
  it('is closed to pages of other sites, and open to our own and to programs', async () => {
    await expect(openLine(world.hubUrl, { origin: 'https://elsewhere.example' })).rejects.toThrow('403')
    await expect(openLine(world.hubUrl, { origin: 'null' })).rejects.toThrow('403')
    for (const options of [{ origin: 'http://localhost:3000' }, {}]) {
      const line = await openLine(world.hubUrl, options)
      await line.next('challenge')
      line.close()
    }
  })

  it('is in one place', async () => {
    for (const path of ['/', '/ioa/', '/IOA', '/ioa/other']) await expect(openLine(world.hubUrl, { path }), path).rejects.toThrow('403')
  })

  it('stands whatever a stranger asks for', async () => {
    expect(await speakRaw(upgrade('//'))).toBe('HTTP/1.1 403 Forbidden')
    expect(await speakRaw(upgrade('http://[/ioa'))).toMatch(/ 40[03] /)
    expect(await speakRaw('GET // HTTP/1.1\r\nHost: hub\r\n\r\n')).toBe('HTTP/1.1 400 Bad Request')
    expect(await speakRaw('nonsense\r\n\r\n')).toBe('HTTP/1.1 400 Bad Request')
    for (let round = 0; round < 20; round++) await speakRaw(upgrade('/elsewhere'), { reset: true })
    const line = await openLine(world.hubUrl)
    await line.next('challenge')
    line.close()
  })
})

describe('closing', () => {
  it('says goodbye, writes down who has left, and waits for nobody who is silent', async () => {
    const hub = await start()
    const url = `http://127.0.0.1:${hub.port}`
    const [polite, silent] = [await listAgent(world, owner, 'polite'), await listAgent(world, owner, 'silent')]
    await fillInbox(world, silent.inboxId, 100, { text: 'x'.repeat(60_000) })
    const first = await connectLine(url, polite)
    const second = await connectLine(url, silent)
    second.socket.pause()
    const begun = Date.now()
    await hub.close()
    expect(Date.now() - begun).toBeLessThan(5_000)
    expect(await first.closed).toBe(1001)
    const rows = await world.system.db.presence.findMany({ where: { agentId: { in: [polite.agentId, silent.agentId] } } })
    expect(rows.map((row) => row.leftAt instanceof Date)).toEqual([true, true])
    second.socket.terminate()
  })
})
