import { createServer } from 'node:http'
import type { LookupFunction } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWebhookClient } from '../../../../server/notifications/index.ts'
import { startWebhookReceiver, type WebhookReceiver } from '../../../support/webhook-receiver.ts'

let receiver: WebhookReceiver
beforeAll(async () => {
  receiver = await startWebhookReceiver()
})
afterAll(() => receiver?.[Symbol.asyncDispose]())

const request = { body: '{}', headers: {} }

describe('createWebhookClient', () => {
  it.each([
    ['http://127.0.0.1:9000/hook', 'http is not asked, only https.'],
    ['https://127.0.0.1/hook', "127.0.0.1 lies inside this machine's network."],
    ['https://[::1]/hook', "::1 lies inside this machine's network."],
    ['https://192.168.0.1/hook', "192.168.0.1 lies inside this machine's network."],
    ['https://localhost/hook', 'localhost is no public name.'],
    ['https://hook.internal/', 'hook.internal is no public name.'],
    ['https://localhost./hook', 'localhost is no public name.'],
    ['https://hook.internal./', 'hook.internal is no public name.'],
    ['https://user:secret@example.org/', 'It carries a login.'],
    ['file:///etc/passwd', 'file is not asked, only https.'],
    ['example.org', 'It is no address.'],
  ])('refuses %s', async (url, fault) => {
    const client = createWebhookClient([])
    expect(client.findUrlFault(url)).toBe(fault)
    expect(await client.post(url, request)).toEqual({ status: null, error: fault })
  })

  it('reaches loopback only at an allowed origin', async () => {
    const client = createWebhookClient([receiver.origin])
    expect(client.findUrlFault(`${receiver.origin}/hook`)).toBeNull()
    expect(await client.post(`${receiver.origin}/hook`, request)).toEqual({ status: 204, error: null })
    const before = receiver.received.length
    expect(await createWebhookClient(['http://127.0.0.1:1']).post(receiver.origin, request)).toMatchObject({ status: null })
    expect(receiver.received.length).toBe(before)
  })

  it('refuses a public name that leads inside, at each connection, regardless of the URL that was saved', async () => {
    const answers = ['127.0.0.1', '10.0.0.8']
    const asked: string[] = []
    const lookup: LookupFunction = (host, _options, found) => {
      found(null, [{ address: answers[asked.length] ?? '', family: 4 }])
      asked.push(host)
    }
    const client = createWebhookClient([], lookup)
    expect(client.findUrlFault('https://hooks.example.org/')).toBeNull()
    // The answer does not name the address.
    const refused = { status: null, error: 'Its name does not lead to a public address.' }
    expect(await client.post('https://hooks.example.org/', request)).toEqual(refused)
    expect(await client.post('https://hooks.example.org/', request)).toEqual(refused)
    expect(asked).toEqual(['hooks.example.org', 'hooks.example.org'])
  })

  it('follows no redirect', async () => {
    const target = await startWebhookReceiver()
    receiver.answer = { status: 307, headers: { location: `${target.origin}/` } }
    const client = createWebhookClient([receiver.origin, target.origin])
    expect(await client.post(receiver.origin, request)).toEqual({
      ...{ status: 307, error: 'It redirects (307), and redirects are not followed.' },
    })
    expect(target.received).toEqual([])
    await target[Symbol.asyncDispose]()
  })

  it('reads at most 64 KiB of a response, and takes its status', async () => {
    let sent = 0
    const endless = createServer((_request, response) => {
      response.writeHead(200)
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(16_384))) sent += 16_384
      }
      response.on('drain', more).on('error', () => undefined)
      more()
    })
    await new Promise<void>((resolve) => {
      endless.listen(0, '127.0.0.1', resolve)
    })
    const address = endless.address()
    const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
    expect(await createWebhookClient([origin]).post(origin, request)).toEqual({ status: 200, error: null })
    // Buffers of both sockets are ahead of what was read.
    expect(sent).toBeLessThan(50_000_000)
    endless.closeAllConnections()
    endless.close()
  })

  it('names a receiver that is down', async () => {
    const gone = await startWebhookReceiver()
    await gone[Symbol.asyncDispose]()
    expect(await createWebhookClient([gone.origin]).post(gone.origin, request)).toEqual({
      ...{ status: null, error: 'It can’t be reached (ECONNREFUSED).' },
    })
  })
})
