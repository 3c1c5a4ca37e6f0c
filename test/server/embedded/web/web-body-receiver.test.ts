import { once } from 'node:events'
import net from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createWebBodyReceiver, type WebBodyReceiverOptions } from '../../../../server/embedded/web/web-body-receiver.ts'
import { startWebServer } from '../../../../server/embedded/web/web-server.ts'
import { bodyLimits } from '../../../../server/http/body-limits.ts'
import { createBufferBudget } from '../../../../server/http/buffer-budget.ts'
import { setClientAddress } from '../../../../server/http/client-ip-address.ts'

const cookie = 'parley_session=valid'

/** A web whose pages answer with the number of bytes that they were given. */
async function start(options: Partial<WebBodyReceiverOptions> = {}) {
  const asked: string[] = []
  const admit = createWebBodyReceiver({ isSignedIn: async (headers) => headers.get('cookie') === cookie, ...options })
  const server = await startWebServer(
    async (request, response) => {
      setClientAddress(request, [])
      const admitted = await admit(request, response)
      if (!admitted) return
      asked.push(admitted.url ?? '')
      let size = 0
      for await (const chunk of admitted) size += (chunk as Buffer).length
      response.end(`${admitted.method} ${size}`)
    },
    { host: '127.0.0.1', port: 0, leaveMs: 0, finishMs: 100 },
  )
  onTestFinished(() => server.leave())
  const url = `http://127.0.0.1:${server.port}`
  const post = async (path: string, bytes: number, given: { headers?: Record<string, string>; isChunked?: boolean } = {}) => {
    const body = given.isChunked ? new Blob(['x'.repeat(bytes)]).stream() : 'x'.repeat(bytes)
    const init = { method: 'POST', body, headers: given.headers ?? {}, ...(given.isChunked && { duplex: 'half' }) } as RequestInit
    const response = await fetch(`${url}${path}`, init)
    const text = await response.text()
    return response.ok ? text : `${response.status} ${(JSON.parse(text) as { code: string }).code}`
  }
  return { port: server.port, url, post, asked }
}

/** Sends the head and the beginning of a body whose rest does not come. */
async function begin(port: number, path: string, announced: number, sent: number, headers = ''): Promise<net.Socket> {
  const socket = net.connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  socket.write(`POST ${path} HTTP/1.1\r\nHost: web\r\n${headers}Content-Length: ${announced}\r\n\r\n${'x'.repeat(sent)}`)
  return socket
}
const answerOf = async (socket: net.Socket) => String((await once(socket, 'data'))[0]).split('\r\n')[0]

describe('the intake of the web', () => {
  it('hands a body on as it came, and a request without one untouched', async () => {
    const { post, url } = await start()
    expect(await post('/api/trpc/goals.post', 10_000)).toBe('POST 10000')
    expect(await post('/api/trpc/goals.post', 10_000, { isChunked: true })).toBe('POST 10000')
    expect(await (await fetch(url)).text()).toBe('GET 0')
    expect(await (await fetch(url, { method: 'POST' })).text()).toBe('POST 0')
  })

  it.each([false, true])('takes 16 kB from a stranger at any path, and more only with a login (chunked: %s)', async (isChunked) => {
    const { post, asked } = await start()
    const over = bodyLimits.unauthenticated + 1
    for (const path of ['/', '/goals/new', '/api/trpc/goals.post', '/api/trpc/goals.post,markdown.format', '/api/trpc/toString'])
      expect(await post(path, over, { isChunked }), path).toBe('413 request.too_large')
    expect(await post('/api/trpc/goals.post', over, { isChunked, headers: { cookie: 'parley_session=unknown' } })).toContain('413')
    expect(asked).toEqual([])
    expect(await post('/api/trpc/goals.post', 2_000_000, { isChunked, headers: { cookie } })).toBe('POST 2000000')
    expect(await post('/api/trpc/goals.post', bodyLimits.signedIn + 1, { isChunked, headers: { cookie } })).toContain('413')
    expect(await post('/', over, { isChunked, headers: { cookie } })).toContain('413')
  })

  it.each([
    ['/api/trpc/identity.signIn?batch=1', bodyLimits.signIn],
    ['/api/trpc/markdown.format,markdown.format?batch=1', bodyLimits.markdown],
    ['/api/trpc/goals.quote', bodyLimits.quote],
    ['/api/stripe', bodyLimits.stripe],
    ['/api/chain', bodyLimits.chain],
  ])('gives %s a bound of its own', async (path, max) => {
    const { post } = await start()
    expect(await post(path, max)).toBe(`POST ${max}`)
    expect(await post(path, max + 1)).toBe('413 request.too_large')
  })

  it('holds no more of one address than its share, until the answer has ended', async () => {
    const budget = createBufferBudget({ maxBytes: 1_000_000, maxBytesPerSender: 20_000 })
    const { port, post } = await start({ budget })
    await begin(port, '/', 16_000, 15_000)
    await expect.poll(() => budget.bytes).toBe(15_000)
    expect(await post('/', 10_000)).toBe('429 rate.exceeded')
    expect(await post('/', 1_000)).toBe('POST 1000')
    await expect.poll(() => budget.bytes).toBe(15_000)
  })

  it('ends the largest body where all together are more than it holds', async () => {
    const budget = createBufferBudget({ maxBytes: 20_000, maxBytesPerSender: 30_000 })
    const { port, post } = await start({ budget })
    const answer = answerOf(await begin(port, '/', 16_000, 15_000))
    await expect.poll(() => budget.bytes).toBe(15_000)
    expect(await post('/', 8_000)).toBe('POST 8000')
    expect(await answer).toContain('429')
    await expect.poll(() => budget.bytes).toBe(0)
  })

  it('refuses a body that comes too slowly', async () => {
    const budget = createBufferBudget()
    const { port } = await start({ budget, minRate: { everyMs: 50, bytes: 100 } })
    const socket = await begin(port, '/', 10_000, 150)
    const answer = answerOf(socket)
    const drip = setInterval(() => socket.write('x'), 10)
    onTestFinished(() => clearInterval(drip))
    expect(await answer).toContain('400')
    expect(budget.bytes).toBe(0)
  })

  it('reports that it cannot answer where logins cannot be looked up', async () => {
    const { post } = await start({ isSignedIn: () => Promise.reject(new TypeError('no database')) })
    expect(await post('/api/trpc/goals.post', 20_000)).toBe('503 server.unavailable')
  })

  it('gives back what a sender holds who goes away', async () => {
    const budget = createBufferBudget()
    const { port } = await start({ budget })
    const socket = await begin(port, '/', 16_000, 15_000)
    await expect.poll(() => budget.bytes).toBe(15_000)
    socket.destroy()
    await expect.poll(() => budget.bytes).toBe(0)
  })
})
