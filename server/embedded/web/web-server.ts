import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

export type WebServerOptions = {
  readonly host: string
  readonly port: number
  /** So long it still takes what comes after it was asked to leave, while it says at `/api/health` that it wants nothing more. */
  readonly leaveMs: number
  /** So long it waits for what is being answered then. */
  readonly finishMs?: number
}
export type WebServer = {
  readonly port: number
  /** Resolves when everything that had come is answered, and streams have been ended for their readers to go on elsewhere. */
  leave(): Promise<void>
}

const finishMs = 20_000
/** As at the hub: a head and a whole request come within this time, or their connection ends. */
const intakeTimes = { headersTimeout: 10_000, requestTimeout: 60_000, connectionsCheckingInterval: 5_000 }
const sweepMs = 50

/**
 * Serves HTTP until it is told to leave, so that no request is lost to who goes: a proxy hears first that this one wants nothing
 * more, and sends what comes to another. `handle` answers; `/api/health` is answered here while leaving.
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
      // Whoever keeps the connection would send the next request to one who is gone.
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
    // A connection that waits for its next request is let go as soon as it does.
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

/** Of the answer nothing can be asked once its head is written. */
const isStream = ({ req }: ServerResponse) => /text\/event-stream/.test(req.headers.accept ?? '')
