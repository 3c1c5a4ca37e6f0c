import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import net from 'node:net'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { WebSocket } from 'ws'
import { composeServices } from '../../../server/compose.ts'
import { inTransaction } from '../../../server/db.ts'
import { readEnvironment } from '../../../server/env.ts'
import { startHub } from '../../../server/hub/index.ts'
import { consumeRateLimit, rateLimits } from '../../../server/policy/index.ts'
import { listLoad } from '../../../server/telemetry/index.ts'
import { bareHub } from '../../support/bare-hub-environment.ts'
import { createWorld, type TestPerson, type TestWorld } from '../../support/world.ts'
import { connectLine, fillInbox, listAgent, openLine, sayHello } from './bare-agent.ts'

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

it('reports its state to operators while it runs, and is forgotten when it has ended in order', async () => {
  const own = async () => (await listLoad(world.system)).map(({ hub, name }) => `${hub} ${name}`)
  // Another process: a world of its own on the same database.
  const other = await composeServices('hub', readEnvironment(bareHub(world.database.url)))
  onTestFinished(() => other.close())
  const hub = await startHub(other.contextFor({ kind: 'anonymous' }), other.listener, { host: '127.0.0.1', port: 0 })
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
    for (const path of ['/', '/v1/', '/IOA', '/v1/other']) await expect(openLine(world.hubUrl, { path }), path).rejects.toThrow('403')
  })

  it('stays up for all requests of a stranger', async () => {
    expect(await speakRaw(upgrade('//'))).toBe('HTTP/1.1 403 Forbidden')
    expect(await speakRaw(upgrade('http://[/v1/ws'))).toMatch(/ 40[03] /)
    expect(await speakRaw('GET // HTTP/1.1\r\nHost: hub\r\n\r\n')).toBe('HTTP/1.1 400 Bad Request')
    expect(await speakRaw('nonsense\r\n\r\n')).toBe('HTTP/1.1 400 Bad Request')
    for (let round = 0; round < 20; round++) await speakRaw(upgrade('/elsewhere'), { reset: true })
    const line = await openLine(world.hubUrl)
    await line.next('challenge')
    line.close()
  })
})

describe('one address', () => {
  const source = '127.0.0.1'
  /** Every bucket is full, and then on the server's clock no time passes, however long it takes. */
  const frozen = () => {
    world.clock.advance(60_000)
    return vi.spyOn(world.clock, 'now').mockReturnValue(world.clock.now())
  }
  /** Time continues, from a minute later. */
  const thaw = (now: { mockRestore(): void }) => {
    now.mockRestore()
    world.clock.advance(60_000)
  }
  const use = (costClass: 'connect' | 'unproven', left: number) => {
    for (let times = left; times < rateLimits[costClass].burst; times++)
      consumeRateLimit(world.world.contextFor({ kind: 'anonymous' }), costClass, source)
  }

  it('is refused after too many hellos that prove nothing, with the time to wait, until that has passed', async () => {
    const [agent, other] = [await listAgent(world, owner, 'prover'), await listAgent(world, owner, 'forger')]
    const now = frozen()
    use('unproven', 1)
    const forged = await openLine(world.hubUrl)
    await sayHello(forged, agent, { signer: other.signer })
    expect((await forged.next('problem')).problem.code).toMatch(/^auth\./)
    const line = await openLine(world.hubUrl)
    await sayHello(line, agent)
    expect((await line.next('problem')).problem).toMatchObject({ code: 'rate.exceeded', status: 429, retry: 'later', retry_after: 1 })
    expect(await line.closed).toBe(4401)
    thaw(now)
    // Who proves itself uses nothing up.
    for (let times = 0; times < 5; times++) (await connectLine(world.hubUrl, agent)).close()
  })

  it('may open only so many connections at a time', async () => {
    const now = frozen()
    use('connect', 1)
    const last = await openLine(world.hubUrl)
    const socket = new WebSocket(`${world.hubUrl.replace('http', 'ws')}/v1/ws`)
    const [, response] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage]
    expect([response.statusCode, response.headers['retry-after']]).toEqual([429, '1'])
    thaw(now)
    const next = await openLine(world.hubUrl)
    for (const line of [last, next]) line.close()
  })
})

describe('closing', () => {
  it('closes its connections, records who has left, and waits for no one who is silent', async () => {
    const hub = await start()
    const url = `http://127.0.0.1:${hub.port}`
    const [polite, silent] = [await listAgent(world, owner, 'polite'), await listAgent(world, owner, 'silent')]
    await fillInbox(world, silent.inboxId, 100, { text: 'x'.repeat(60_000) })
    const first = await connectLine(url, polite)
    const second = await connectLine(url, silent)
    second.socket.pause()
    const begun = Date.now()
    await hub.close()
    // A silent socket is abandoned after thirty seconds.
    expect(Date.now() - begun).toBeLessThan(20_000)
    expect(await first.closed).toBe(1012)
    const rows = await world.system.db.presence.findMany({ where: { agentId: { in: [polite.agentId, silent.agentId] } } })
    expect(rows.map((row) => row.leftAt instanceof Date)).toEqual([true, true])
    second.socket.terminate()
  })

  it('finishes what it has taken before it ends, and answers every waiting client', async () => {
    const hub = await start()
    const url = `http://127.0.0.1:${hub.port}`
    const [busy, waiting] = [await listAgent(world, owner, 'busy'), await listAgent(world, owner, 'waiting')]
    const line = await connectLine(url, busy)
    const poll = fetch(`${url}/v1/messages?wait=30`, { headers: { authorization: `Bearer ${waiting.token}` } })
    await world.until(
      'the poll to be seen',
      async () => (await world.system.db.presence.count({ where: { agentId: waiting.agentId } })) > 0,
    )
    const ids = [1, 2, 3]
    const held = Promise.withResolvers<void>()
    const holding = inTransaction(world.system, async (tx) => {
      await tx.db.$executeRaw`lock table "listing" in access exclusive mode`
      for (const id of ids) line.send({ type: 'command', id, command: { type: 'listing.discover', query: { limit: 1 } } })
      await held.promise
    })
    await world.until('the first to wait for the table', async () => {
      const [row] = await world.system.db.$queryRaw<{ waiting: number }[]>`
        select count(*)::int as "waiting" from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      return (row?.waiting ?? 0) > 0
    })
    const closed = hub.close()
    expect((await poll).status).toBe(200)
    expect(line.socket.readyState).toBe(line.socket.OPEN)
    held.resolve()
    await holding
    expect(await line.closed).toBe(1012)
    await closed
    expect(line.frames.flatMap((frame) => (frame.type === 'result' ? [frame.id] : []))).toEqual(ids)
    await expect(openLine(url)).rejects.toThrow('ECONNREFUSED')
  })
})
