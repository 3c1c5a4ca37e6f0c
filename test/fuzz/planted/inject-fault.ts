// Loaded into web and hub before anything else by `npm run fuzz:edge -- --planted`: has the process behave as if it had the fault that
// PLANTED_FAULT names. The faults are made from outside of the product, so that they stay what they are however it is written.
import { randomBytes } from 'node:crypto'
import http, { IncomingMessage, type ServerResponse } from 'node:http'
import net from 'node:net'
import { WebSocket } from 'ws'
import { plantedFaults } from './fault-catalogue.ts'

const name = process.env.PLANTED_FAULT ?? ''
if (name && !(name in plantedFaults)) throw new Error(`there is no planted fault ${name}`)

type Handle = (request: IncomingMessage, response: ServerResponse) => boolean | undefined
const stringify = JSON.stringify

/** Looks at each request before the product does; true where it has answered it. */
function onRequest(handle: Handle): void {
  const { emit } = http.Server.prototype
  http.Server.prototype.emit = function (this: http.Server, event: string | symbol, ...args: unknown[]) {
    if (event === 'request' && handle(args[0] as IncomingMessage, args[1] as ServerResponse)) return true
    return emit.call(this, event as string, ...(args as []))
  } as typeof emit
}

function answer(response: ServerResponse, status: number, body: unknown): true {
  response.writeHead(status, { 'content-type': 'application/json' }).end(stringify(body))
  return true
}

/** Everything that is written to a client, as text. */
function onWrite(look: (text: string, response: ServerResponse) => void): void {
  for (const method of ['write', 'end'] as const) {
    const real = http.ServerResponse.prototype[method] as (...args: unknown[]) => unknown
    http.ServerResponse.prototype[method] = function (this: ServerResponse, ...args: unknown[]) {
      const [chunk] = args
      if (typeof chunk === 'string' || chunk instanceof Uint8Array) look(Buffer.from(chunk as string).toString('utf8'), this)
      return real.apply(this, args)
    } as never
  }
}

/** Has what is posted say something else, before anybody reads it. */
function onBody(change: (text: string) => string): void {
  const { push } = IncomingMessage.prototype
  IncomingMessage.prototype.push = function (this: IncomingMessage & { posted?: Buffer[] }, chunk: Buffer | null, ...rest: never[]) {
    if (this.method !== 'POST') return push.call(this, chunk, ...rest)
    this.posted ??= []
    if (chunk !== null) {
      this.posted.push(chunk)
      return true
    }
    push.call(this, Buffer.from(change(Buffer.concat(this.posted).toString('utf8'))))
    return push.call(this, null)
  }
}

/** A frame received at a WebSocket, as text; the returned text replaces it. */
function onFrame(change: (text: string) => string): void {
  const { emit } = WebSocket.prototype
  WebSocket.prototype.emit = function (this: WebSocket, event: string | symbol, ...args: unknown[]) {
    const [data, ...rest] = args
    if (event !== 'message' || rest[0] === true) return emit.call(this, event as string, ...args)
    return emit.call(this, event, Buffer.from(change(String(data))), ...rest)
  } as typeof emit
}

function spin(ms: number): void {
  for (const until = performance.now() + ms; performance.now() < until; );
}

const kept: unknown[] = []
const plant: { readonly [fault in keyof typeof plantedFaults]: () => void } = {
  // As with a transformer that refuses such a key in an answer: every later reader of the record fails.
  'reserved key': () => {
    let isStored = false
    onBody((text) => {
      isStored ||= /"(constructor|prototype)":/.test(text)
      return text
    })
    onRequest((request, response) => {
      const isList = request.method === 'GET' && /goals\.list|registry\.|conversations\.list|^\/goals|^\/agents/.test(request.url ?? '')
      return isStored && isList ? answer(response, 500, { error: 'the key is not allowed' }) : false
    })
  },
  'markdown on the request thread': () =>
    onWrite((text) => {
      if (/(\*a_ ){40}|(>){200}|(\[){200}/.test(text)) spin(1_500)
    }),
  'missing byte limit': () =>
    onRequest((request, response) => {
      if (!/conversations\.list/.test(request.url ?? '')) return false
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(`{"result":{"data":{"json":["${'x'.repeat(30_000_000)}"]}}}`)
      return true
    }),
  'forwarded addresses': () =>
    onRequest((request) => {
      const forged = [request.headers['x-forwarded-for']].flat()[0]
      Object.defineProperty(request.socket, 'remoteAddress', { configurable: true, value: forged ?? '127.0.0.1' })
      return false
    }),
  'no limit before authentication': () => {
    const { push } = net.Socket.prototype
    net.Socket.prototype.push = function (this: net.Socket & { parley?: Buffer[] }, chunk: unknown, ...rest: never[]) {
      if (chunk instanceof Buffer && this.server) {
        this.parley ??= []
        this.parley.push(Buffer.from(chunk))
      }
      return push.call(this, chunk, ...rest)
    }
    // Nobody is let go, or kept waiting, either.
    net.Socket.prototype.destroySoon = () => {}
    for (const method of ['close', 'terminate', 'pause'] as const) WebSocket.prototype[method] = () => {}
  },
  'cursor beyond the head': () => {
    let isLost = false
    onFrame((text) => {
      const isBeyond = text.includes('"subscribe"') && /"after":\d{4,}/.test(text)
      isLost ||= isBeyond
      return isBeyond ? '{"type":"pong"}' : text
    })
    const { write } = net.Socket.prototype
    net.Socket.prototype.write = function (this: net.Socket, chunk: never, ...rest: never[]) {
      if (isLost && Buffer.from(chunk).includes('"deliver"')) return true
      return write.call(this, chunk, ...rest)
    } as typeof write
  },
  NUL: () =>
    onRequest((request, response) => (/%00/.test(request.url ?? '') ? answer(response, 500, { code: 'server.internal_error' }) : false)),
  'ignored body of a repeated key': () => {
    const first = new Map<string, string>()
    onBody((text) => {
      const id = /"id":"([0-9a-f-]{36})"/.exec(text)?.[1]
      if (id === undefined || !text.includes('"goal"')) return text
      const known = first.get(id) ?? text
      first.set(id, known)
      return known
    })
  },
  'private id': () => {
    let leaked = ''
    const shown = /(gol_[0-9a-f]{32})(?:(?!gol_)[\s\S]){0,4000}?"visibility":"private"/
    onWrite((text) => {
      leaked = shown.exec(text)?.[1] ?? leaked
    })
    onRequest((request, response) => {
      if (leaked && !request.headers.cookie && !request.headers.authorization) response.setHeader('x-related', leaked)
      return false
    })
  },
  'webhook of the future': () =>
    onRequest((request, response) => {
      const at = Number(/t=(\d+)/.exec(String(request.headers['stripe-signature']))?.[1] ?? 0)
      return at > Date.now() / 1_000 + 600 ? answer(response, 200, { received: true }) : false
    }),
  'memory that is never given back': () =>
    onRequest(() => {
      kept.push(Buffer.alloc(400_000, 1))
      return false
    }),
  'work for each header': () =>
    onRequest((request) => {
      if (Object.values(request.headers).some((value) => String(value).includes(',,,,'))) spin(120)
      return false
    }),
  'texts kept after the answer': () =>
    onBody((text) => {
      if (text.length > 48) kept.push(Buffer.from(text))
      return text
    }),
  'work that nobody bounds': () =>
    onBody((text) => {
      if (text.length > 900_000) spin(2_000)
      return text
    }),
  'a slow neighbour': () => {
    const { write } = net.Socket.prototype
    net.Socket.prototype.write = function (this: net.Socket, chunk: never, ...rest: never[]) {
      if (performance.now() > 60_000 && Buffer.from(chunk).includes('"deliver"')) spin(80)
      return write.call(this, chunk, ...rest)
    } as typeof write
  },
  'outbound calls without an end': () => {
    AbortSignal.timeout = () => new AbortController().signal
    const { setTimeout: real } = globalThis
    globalThis.setTimeout = ((run: () => void, ms: number, ...rest: []) =>
      real(run, ms > 1_500 && ms < 5_000 ? ms * 4 : ms, ...rest)) as never
  },
  'a route for everything': () => onRequest((request, response) => (/nothing/.test(request.url ?? '') ? answer(response, 200, {}) : false)),
  'a word for everybody': () => {
    let known = { word: '', by: '' }
    onRequest((request, response) => {
      const by = String(request.headers.authorization)
      request.on('data', (chunk: Buffer) => {
        const word = /Remember (zq[0-9a-f]{16})/.exec(chunk.toString())?.[1]
        if (word) known = { word, by }
      })
      if (known.word && by !== known.by) response.setHeader('x-related', known.word)
      return false
    })
  },
  'ignored part of a repeat': () => {
    const first = new Map<string, string>()
    onBody((text) => {
      const id = /"task_id":"(tsk_[0-9a-f]{32})"/.exec(text)?.[1]
      if (id === undefined || !text.includes('"task_desc"')) return text
      const known = first.get(id) ?? text
      first.set(id, known)
      return known
    })
  },
  'a page that begins again': () =>
    onRequest((request) => {
      if (/goals\.list/.test(request.url ?? '')) request.url = request.url?.replace(/(%2C)?%22after%22%3A%22gol_[0-9a-f]{32}%22/, '')
      return false
    }),
  'a budget for each browser': () => {
    const browsers: string[] = []
    onRequest((request) => {
      const browser = String(request.headers['user-agent'])
      if (!browsers.includes(browser)) browsers.push(browser)
      const value = `127.9.${Math.floor(browsers.indexOf(browser) / 200)}.${(browsers.indexOf(browser) % 200) + 1}`
      if (browser !== 'undefined') Object.defineProperty(request.socket, 'remoteAddress', { configurable: true, value })
      return false
    })
  },
  'notes of any size': () => onBody((text) => text.replace(/("note":\{"t":")x{4000,}/, '$1xxxx')),
  'any handle': () =>
    onBody((text) => text.replace(/"handle":"[a-z0-9-]*escrow[a-z0-9-]*"/, () => `"handle":"plain${Date.now().toString(36)}"`)),
  'work for each file': () =>
    onBody((text) => {
      if (text.includes('image/svg+xml') && text.length > 200_000) spin(1_500)
      return text
    }),
  'a header that signs in': () =>
    onRequest((request, response) =>
      request.headers['x-remote-user'] && /messages|commands/.test(request.url ?? '') ? answer(response, 200, {}) : false,
    ),
  // As where a charter of a sub-team is not checked for its lead.
  'a sub-team of anyone': () =>
    onBody((text) => (text.includes('"team.propose"') && text.includes('"parent"') ? '{"type":"memory.read"}' : text)),
  'a command of anyone': () =>
    onRequest((request, response) => (/goals\.withdrawDemand/.test(request.url ?? '') ? answer(response, 200, {}) : false)),
  'a login without an end': () =>
    onRequest((request, response) =>
      request.headers.cookie && /identity\.listSessions/.test(request.url ?? '') ? answer(response, 200, {}) : false,
    ),
  'an effect for each request': () =>
    onBody((text) =>
      text.includes('"criteria"') ? text.replace(/"id":"[0-9a-f]{8}-/, () => `"id":"${randomBytes(4).toString('hex')}-`) : text,
    ),
  'work for each text': () =>
    onBody((text) => {
      if (/(\|a){900}/.test(text)) spin(600)
      return text
    }),
  'markup of users': () => {
    let isStored = false
    onBody((text) => {
      isStored ||= text.includes('<zqmark')
      return text
    })
    onRequest((request, response) => {
      if (!isStored || request.method !== 'GET' || request.url !== '/goals') return false
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><p><zqmark onload=alert(1)>')
      return true
    })
  },
  'texts of any size': () => onBody((text) => text.replace(/x{900000,}/, 'Sing me a song.')),
  'any name': () => onBody((text) => text.replace(/"name":"P[^"]*l[^"]*"/i, '"name":"A plain name"')),
}
if (name) plant[name as keyof typeof plantedFaults]()
