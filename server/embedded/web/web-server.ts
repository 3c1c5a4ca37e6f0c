import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

export type WebServerOptions = {
  readonly host: string
  readonly port: number
  /** How long it accepts requests after a stop signal, while `/api/health` reports that it is not ready. */
  readonly leaveMs: number
  /** How long it then waits for requests in progress. */
  readonly finishMs?: number
}
export type WebServer = {
  readonly port: number
  /** Resolves when all requests are answered and all streams are ended, so that readers reconnect elsewhere. */
  leave(): Promise<void>
}

const finishMs = 20_000
/** As at the hub: head and request must arrive within this time. */
const intakeTimes = { headersTimeout: 10_000, requestTimeout: 60_000, connectionsCheckingInterval: 5_000 }
const sweepMs = 50

/**
 * Serves HTTP with a graceful shutdown, so that no request is lost. The process first answers a proxy's health check that it is not ready,
 * so that the proxy uses another process. `handle` answers; `/api/health` is answered here during the stop.
 */
export async function startWebServer(
  handle: (request: IncomingMessage, response: ServerResponse) => unknown,
  options: WebServerOptions,
): Promise<WebServer> {
  const open = new Set<ServerResponse>()
  let leaving: Promise<void> | null = null
  const server = createServer(intakeTimes, (request, response) => {
    open.add(response)
    response.once('close', () => open.delete(response))
    if (leaving) {
      // A kept-alive connection would send its next request to a stopped process.
      response.setHeader('connection', 'close')
      if (request.url === '/api/health') {
        response.writeHead(503, { 'content-type': 'application/json', 'retry-after': '1' }).end('{"ok":false}')
        return
      }
    }
    void handle(request, response)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, options.host, resolve)
  })
  const bound = server.address()

  async function leave(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, options.leaveMs))
    const closed = new Promise<void>((resolve) => {
      server.close(() => resolve())
    })
    for (const response of open) if (isStream(response)) response.socket?.destroySoon()
    // An idle connection is closed at once.
    const sweep = setInterval(() => server.closeIdleConnections(), sweepMs)
    const impatience = setTimeout(() => server.closeAllConnections(), options.finishMs ?? finishMs)
    await closed
    clearInterval(sweep)
    clearTimeout(impatience)
  }
  return {
    port: typeof bound === 'object' && bound ? bound.port : options.port,
    leave() {
      leaving ??= leave()
      return leaving
    },
  }
}

/** After its head was written, the answer's headers cannot be read. */
const isStream = ({ req }: ServerResponse) => /text\/event-stream/.test(req.headers.accept ?? '')
