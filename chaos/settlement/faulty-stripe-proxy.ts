import http from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Random } from '../../test/support/random.ts'

/** The probability of each fault for a call that moves money, from 0 to 1. */
export type StripeFaultRates = {
  /** 503 before Stripe receives it: nothing is done, and the key is unused. */
  readonly broken: number
  /** Never received, never answered. */
  readonly stall: number
  /** Done, and its answer is lost. */
  readonly lose: number
}
export const noStripeFaults: StripeFaultRates = { broken: 0, stall: 0, lose: 0 }

export type StripeProxy = {
  readonly url: string
  faultRates: StripeFaultRates
  /** Called for each call that moves money before Stripe receives it, and after Stripe's answer before it is forwarded. */
  onCall: (when: 'card call' | 'card answer') => void
  /** Called with each error, and with each 500 of Stripe itself. */
  onFault: (what: 'broken' | 'stalled' | 'lost' | 'own 500') => void
  close(): Promise<void>
}

/** The address of a proxy of Stripe with faults. */
export async function startFaultyStripeProxy(target: string, random: Random): Promise<StripeProxy> {
  const server = http.createServer((request, response) => {
    void answer(request, response).catch(() => response.destroy())
  })

  async function answer(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const isMoney = request.method === 'POST'
    const happens = (chance: number, what: 'broken' | 'stalled' | 'lost') => {
      if (!isMoney || chance === 0 || random() >= chance) return false
      proxy.onFault(what)
      return true
    }
    if (happens(proxy.faultRates.broken, 'broken')) {
      response.writeHead(503, { 'content-type': 'application/json' }).end('{"error":{"type":"api_error","message":"Try again later."}}')
      return
    }
    if (happens(proxy.faultRates.stall, 'stalled')) return
    if (isMoney) proxy.onCall('card call')
    const { host: _host, connection: _connection, 'content-length': _length, ...headers } = request.headers
    const answered = await fetch(`${target}${request.url}`, {
      method: request.method ?? 'GET',
      headers: headers as Record<string, string>,
      ...(isMoney ? { body: new Uint8Array(Buffer.concat(chunks)) } : {}),
    })
    const text = await answered.text()
    if (isMoney) proxy.onCall('card answer')
    if (isMoney && answered.status === 500) proxy.onFault('own 500')
    if (happens(proxy.faultRates.lose, 'lost')) {
      response.destroy()
      return
    }
    const replayed = answered.headers.get('idempotent-replayed')
    response.writeHead(answered.status, { 'content-type': 'application/json', ...(replayed ? { 'idempotent-replayed': replayed } : {}) })
    response.end(text)
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const proxy: StripeProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    faultRates: noStripeFaults,
    onCall: () => {},
    onFault: () => {},
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return proxy
}
