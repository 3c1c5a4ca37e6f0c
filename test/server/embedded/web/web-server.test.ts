import { once } from 'node:events'
import http from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { startWebServer, type WebServer } from '../../../../server/embedded/web/web-server.ts'

const servers: WebServer[] = []
const agents: http.Agent[] = []
afterEach(async () => {
  for (const agent of agents.splice(0)) agent.destroy()
  await Promise.all(servers.splice(0).map((server) => server.leave()))
})

/** Answers `/held` when it is let to, `/stream` with a stream without end, and all else at once. */
async function start(leaveMs: number, finishMs = 15_000) {
  const held = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  const server = await startWebServer(
    async (request, response) => {
      if (request.url === '/stream') {
        response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' }).write('id: 1\ndata: first\n\n')
        return
      }
      if (request.url === '/held') {
        asked.resolve()
        await held.promise
      }
      response.end(`ok ${request.url}`)
    },
    { host: '127.0.0.1', port: 0, leaveMs, finishMs },
  )
  servers.push(server)
  return { server, held, asked: asked.promise, url: `http://127.0.0.1:${server.port}` }
}

describe('a web that leaves', () => {
  it('answers what it has taken, and what still comes, while it reports that it wants nothing more', async () => {
    const { server, held, asked, url } = await start(400)
    expect((await fetch(`${url}/api/health`)).status).toBe(200)
    const pending = fetch(`${url}/held`)
    await asked
    let isGone = false
    const left = server.leave().then(() => {
      isGone = true
    })
    const health = await fetch(`${url}/api/health`)
    expect([health.status, health.headers.get('connection')]).toEqual([503, 'close'])
    expect(await (await fetch(`${url}/late`)).text()).toBe('ok /late')
    await expect
      .poll(() =>
        fetch(`${url}/refused`).then(
          () => 'served',
          () => 'refused',
        ),
      )
      .toBe('refused')
    expect(isGone).toBe(false)
    held.resolve()
    expect(await (await pending).text()).toBe('ok /held')
    await left
  })

  it('ends streams after their messages, and releases connections that are kept for later', async () => {
    const { server, url } = await start(0)
    const agent = new http.Agent({ keepAlive: true })
    agents.push(agent)
    const [kept] = (await once(http.get(`${url}/kept`, { agent }), 'response')) as [http.IncomingMessage]
    kept.resume()
    await once(kept, 'end')
    const stream = await fetch(`${url}/stream`, { headers: { accept: 'text/event-stream' } })
    const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader()
    expect((await reader?.read())?.value).toContain('first')
    await server.leave()
    // A stream that is cut is taken up elsewhere; one that says it is complete might not be.
    await expect(reader?.read()).rejects.toThrow()
  })

  it('waits no longer than it may for what is never answered', async () => {
    const { server, asked, url } = await start(0, 100)
    const pending = fetch(`${url}/held`).then(
      () => 'answered',
      () => 'cut off',
    )
    await asked
    await server.leave()
    expect(await pending).toBe('cut off')
  })
})
