import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Request = { readonly id: unknown; readonly method: string; readonly params: readonly unknown[] }
/** The node's answer to a request that it does not carry out. */
export type Refusal = { readonly message: string }
/** Another answer than the node's, or undefined for its own. `'hang'`: none at all. */
export type Lie = (request: Request, truth: unknown) => unknown
export type FalseNode = AsyncDisposable & { readonly url: string; lie(how: Lie | null): void }

/** A node of the same chain, over HTTP, that answers as configured. `before`: what it refuses without carrying it out. */
export async function startFalseNode(rpcUrl: string, before?: (request: Request) => Refusal | null): Promise<FalseNode> {
  let how: Lie | null = null
  const server = createServer((incoming, response) => {
    void (async () => {
      const parts: Buffer[] = []
      for await (const part of incoming as AsyncIterable<Buffer>) parts.push(part)
      const body = Buffer.concat(parts).toString()
      const request = JSON.parse(body) as Request
      const refusal = before?.(request)
      if (refusal) {
        response.writeHead(200, { 'content-type': 'application/json' })
        response.end(JSON.stringify({ jsonrpc: '2.0', id: request.id, error: { code: -32000, message: refusal.message } }))
        return
      }
      const answer = await fetch(rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
      const rpcAnswer = (await answer.json()) as { result?: unknown; error?: unknown }
      const other = how?.(request, rpcAnswer.error ?? rpcAnswer.result)
      if (other === 'hang') return
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(other === undefined ? rpcAnswer : { jsonrpc: '2.0', id: request.id, result: other }))
    })()
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lie: (next) => {
      how = next
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}
