import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'

const root = path.join(import.meta.dirname, '../../..')
function sourcesIn(folder: string): string[] {
  return readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const at = `${folder}/${entry.name}`
    if (entry.isDirectory()) return at === 'server/embedded' ? [] : sourcesIn(at)
    return /\.tsx?$/.test(at) ? [at] : []
  })
}

/** What goes out, and what bounds it in time. Streams of ours have heartbeats of their own and are no calls. */
const kinds: readonly { readonly call: RegExp; readonly bound: RegExp }[] = [
  { call: /(?<![.\w])fetch\(/g, bound: /\bsignal\b/ },
  { call: /\b(?:https?\.(?:request|get)|(?:net|tls)\.(?:connect|createConnection))\(/g, bound: /\b(?:signal|timeout)\b/ },
  { call: /\bnew pg\.(?:Pool|Client)\(/g, bound: /\bconnectionTimeoutMillis\b(?!: 0\b)/ },
  { call: /\btransport: http\(/g, bound: /\btimeout\b/ },
  { call: /\bnew Stripe\(/g, bound: /\btimeout\b/ },
  { call: /\bnew WebSocket\((?=new URL)/g, bound: /\bhandshakeTimeout\b/ },
]

/** Bounded by the system alone: an error of the pool's own timeout is none that the job queue retries, and would end the process. */
const boundedBySystem = ['server/db/job-queue-pool.ts']

/** The text between the parentheses that open at `from`. */
function argumentsAt(text: string, from: number): string {
  let depth = 1
  let at = from
  for (; at < text.length && depth > 0; at++) depth += text[at] === '(' ? 1 : text[at] === ')' ? -1 : 0
  return text.slice(from, at)
}

/** The same calls under the names that a file imports them by. */
function importedCalls(text: string): typeof kinds {
  const lists = text.matchAll(/^import \{([^}]*)\} from '(?:node:(?:https?|net|tls)|@nats-io\/transport-node)'/gm)
  const names = [...lists].flatMap(([, list = '']) => list.split(',').map((one) => one.trim()))
  return names.flatMap((name) => {
    const [, own] = /^(?:request|get|connect|createConnection)(?: as (\w+))?$/.exec(name) ?? []
    const called = own ?? name
    return /^(?:request|get|connect|createConnection)\b/.test(name)
      ? [{ call: new RegExp(`(?<![.\\w]|function )${called}\\(`, 'g'), bound: /\b(?:signal|timeout)\b/ }]
      : []
  })
}

function unboundedCalls(text: string): string[] {
  return [...kinds, ...importedCalls(text)].flatMap(({ call, bound }) =>
    [...text.matchAll(call)].flatMap((found) => {
      const given = argumentsAt(text, found.index + found[0].length)
      return bound.test(given) ? [] : [`${found[0]}${given.slice(0, 40)}`]
    }),
  )
}

describe('every call that goes out', () => {
  it('has an end in time', () => {
    const faults = [...sourcesIn('server'), ...sourcesIn('agents/builtin'), ...sourcesIn('app')].flatMap((file) =>
      unboundedCalls(readFileSync(path.join(root, file), 'utf8')).map((call) => `${file}: ${call}`),
    )
    expect(faults.filter((fault) => !boundedBySystem.some((file) => fault.startsWith(`${file}: `)))).toEqual([])
    expect(faults).toHaveLength(boundedBySystem.length)
  })

  it('would be found without one', () => {
    expect(unboundedCalls("await fetch(url, { method: 'POST' })")).toHaveLength(1)
    expect(unboundedCalls("await fetch(new URL('/a', b), { signal: AbortSignal.timeout(1) })")).toEqual([])
    expect(unboundedCalls('createPublicClient({ transport: http(options.rpcUrl) })')).toHaveLength(1)
    expect(unboundedCalls('new Stripe(key, { telemetry: false })')).toHaveLength(1)
    expect(unboundedCalls('new pg.Pool({ connectionString: url, max: 12 })')).toHaveLength(1)
    expect(unboundedCalls('new pg.Pool({ connectionString: url, connectionTimeoutMillis: 0 })')).toHaveLength(1)
    const head = "import { type AddressInfo, connect, request as ask } from 'node:net'\n"
    expect(unboundedCalls(`${head}connect({ host, port })\nask(options, (came) => 1)`)).toHaveLength(2)
    expect(unboundedCalls(`${head}connect({ host, port, timeout: 1 })\nother.connect(1)\nfunction connect() {}`)).toEqual([])
    expect(unboundedCalls('connect({ host, port })')).toEqual([])
    expect(unboundedCalls("net.connect(port, 'localhost')")).toHaveLength(1)
  })
})
