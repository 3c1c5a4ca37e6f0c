import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { createEndpointEmbedder } from '../../../../server/search/meaning/endpoint-embedder.ts'
import { createQueryVectorCache } from '../../../../server/search/meaning/query-vector-cache.ts'

type Received = {
  readonly path: string
  readonly key: string | undefined
  readonly body: { readonly model: string; readonly input: readonly string[] }
}
const received: Received[] = []
/** What the endpoint answers: the vectors in reverse, as an endpoint may. */
const honest = (body: Received['body']) => ({
  ...{ object: 'list', model: body.model, usage: { prompt_tokens: 1, total_tokens: 1 } },
  data: body.input.map((text, index) => ({ object: 'embedding', index, embedding: [text.length, 0, 0, 4, 0, 0, 0, 0] })).reverse(),
})
let answer: (body: Received['body']) => unknown = honest
let [status, delayMs] = [200, 0]
let server: Server
let url = ''

beforeAll(async () => {
  server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk) => {
      text += chunk
    })
    request.on('end', () => {
      const body = JSON.parse(text) as Received['body']
      received.push({ path: `${request.method} ${request.url}`, key: request.headers.authorization, body })
      setTimeout(() => {
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer(body)))
      }, delayMs)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
})
afterEach(() => {
  received.length = 0
  answer = honest
  ;[status, delayMs] = [200, 0]
})
afterAll(() => {
  server.close()
})

const embedder = () => createEndpointEmbedder({ url, model: 'fake-1', dimensions: 8, key: 'secret' })

describe('the endpoint embedder', () => {
  it('asks as in the protocol, and gives unit vectors in the order of the texts', async () => {
    const [first, second] = await embedder().embedTexts(['abc', ''])
    expect(received).toEqual([
      { path: 'POST /v1/embeddings', key: 'Bearer secret', body: { model: 'fake-1', input: ['abc', ''], encoding_format: 'float' } },
    ])
    expect([...(first as Float32Array)]).toEqual([0.6, 0, 0, 0.8, 0, 0, 0, 0].map(Math.fround))
    expect([...(second as Float32Array)]).toEqual([0, 0, 0, 1, 0, 0, 0, 0])
  })

  it.each([
    ['another number of dimensions', () => ({ data: [{ index: 0, embedding: [1] }] }), 'EMBEDDING_DIMENSIONS is 8'],
    ['a missing text', () => ({ data: [] }), '0 of 1'],
    ['no vectors', () => ({ error: {} }), 'data'],
  ])('refuses %s', async (_, wrong, message) => {
    answer = wrong
    await expect(embedder().embedTexts(['abc'])).rejects.toThrow(message)
  })

  it('names the status of a refusal, without the key', async () => {
    status = 401
    await expect(embedder().embedTexts(['abc'])).rejects.toThrow(/status 401(?!.*secret)/)
  })
})

describe('the vectors of queries', () => {
  it('are asked for once per text', async () => {
    const vectors = createQueryVectorCache(embedder(), 5_000)
    expect(await vectors.vectorOf('abc')).toEqual(await vectors.vectorOf('abc'))
    expect(received).toHaveLength(1)
  })

  it('are undefined after a failure, and asked for again', async () => {
    const vectors = createQueryVectorCache(embedder(), 5_000)
    status = 500
    expect(await vectors.vectorOf('abc')).toBeUndefined()
    status = 200
    expect(await vectors.vectorOf('abc')).toHaveLength(8)
  })

  it('are undefined if the endpoint is slow, and serve the next query', async () => {
    delayMs = 300
    const vectors = createQueryVectorCache(embedder(), 20)
    expect(await vectors.vectorOf('abc')).toBeUndefined()
    await vi.waitUntil(async () => (await vectors.vectorOf('abc')) !== undefined, 30_000)
    expect(await vectors.vectorOf('abc')).toHaveLength(8)
    expect(received).toHaveLength(1)
  })
})
