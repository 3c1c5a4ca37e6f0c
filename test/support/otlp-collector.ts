import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { z } from 'zod'

const Attribute = z.object({ key: z.string(), value: z.record(z.string(), z.unknown()) })
const OtlpSpan = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  kind: z.int(),
  startTimeUnixNano: z.string(),
  endTimeUnixNano: z.string(),
  attributes: z.array(Attribute),
  status: z.object({ code: z.int(), message: z.string().optional() }),
})
export type OtlpSpan = z.infer<typeof OtlpSpan>
const OtlpRequest = z.object({
  resourceSpans: z.array(z.object({ scopeSpans: z.array(z.object({ spans: z.array(OtlpSpan) })) })),
})

export type Collector = AsyncDisposable & { readonly url: string; readonly spans: readonly OtlpSpan[] }

/** Stands in for a collector of OpenTelemetry, and keeps what it is sent. `status`: what it answers. */
export async function startCollector(status = 200): Promise<Collector> {
  const spans: OtlpSpan[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    if (request.url === '/v1/traces' && status === 200) {
      const { resourceSpans } = OtlpRequest.parse(JSON.parse(Buffer.concat(chunks).toString('utf8')))
      spans.push(...resourceSpans.flatMap((one) => one.scopeSpans.flatMap((scope) => scope.spans)))
    }
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end('{}')
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => {
        server.close(resolve)
      })
    },
  }
}
