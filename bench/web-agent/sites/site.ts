/** What the three sites have in common: plain server-rendered pages over a state in memory, on loopback. */
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Asked = {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  /** Of a form; empty where none was sent. */
  readonly form: URLSearchParams
  readonly json: unknown
  /** Who asks, by cookie. */
  readonly session: string
}
export type Reply = { readonly status: number; readonly type: string; readonly body: string; readonly to?: string }

export type Site<S> = {
  readonly fresh: () => S
  readonly answer: (state: S, asked: Asked) => Reply
  /** The state without the parts that differ between runs. */
  readonly look: (state: S) => unknown
}

export type ServedSite<S> = AsyncDisposable & { readonly origin: string; reset(): void; state(): S; readonly site: Site<S> }

export async function serve<S>(site: Site<S>): Promise<ServedSite<S>> {
  let state = site.fresh()
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://site')
    const body = await bodyOf(request)
    const known = /\bsession=([\w-]+)/.exec(request.headers.cookie ?? '')?.[1]
    const session = known ?? randomUUID()
    const reply = site.answer(state, {
      method: request.method ?? 'GET',
      path: decodeURIComponent(url.pathname),
      query: url.searchParams,
      form: /urlencoded/.test(request.headers['content-type'] ?? '') ? new URLSearchParams(body) : new URLSearchParams(),
      json: /json/.test(request.headers['content-type'] ?? '') ? parse(body) : undefined,
      session,
    })
    response.writeHead(reply.status, {
      'content-type': `${reply.type}; charset=utf-8`,
      ...(reply.to && { location: reply.to }),
      ...(!known && { 'set-cookie': `session=${session}; Path=/; HttpOnly` }),
    })
    response.end(reply.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    site,
    state: () => state,
    reset() {
      state = site.fresh()
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += chunk
  return text
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export const html = (text: string | number) =>
  String(text).replace(/[&<>"]/g, (letter) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[letter] ?? letter)
export const json = (value: unknown, status = 200): Reply => ({ status, type: 'application/json', body: JSON.stringify(value) })
export const seeOther = (to: string): Reply => ({ status: 303, type: 'text/plain', body: '', to })
export const text = (body: string, type = 'text/plain'): Reply => ({ status: 200, type, body })
export const missing = (): Reply => page('Not found', '', '<p>There is nothing here.</p>', 404)

export function page(title: string, nav: string, main: string, status = 200): Reply {
  const body = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${html(title)}</title></head><body><header>${nav}</header><main><h1>${html(title)}</h1>${main}</main></body></html>`
  return { status, type: 'text/html', body }
}

export const option = (value: string | number, label: string | number, chosen?: unknown) =>
  `<option value="${html(value)}"${String(chosen) === String(value) ? ' selected' : ''}>${html(label)}</option>`

/** One page of a list, and the links to those before and after it. */
export function paged<T>(all: readonly T[], at: number, size: number, link: (page: number) => string): { items: T[]; links: string } {
  const last = Math.max(1, Math.ceil(all.length / size))
  const before = at > 1 ? `<a href="${html(link(at - 1))}">Previous</a> ` : ''
  const after = at < last ? ` <a href="${html(link(at + 1))}">Next</a>` : ''
  return {
    items: all.slice((at - 1) * size, at * size),
    links: `<nav aria-label="Pages">${before}Page ${at} of ${last}${after}</nav>`,
  }
}

/** The same numbers in every run. */
export function dice(seed: number): (sides: number) => number {
  let state = seed
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * sides)
  }
}
