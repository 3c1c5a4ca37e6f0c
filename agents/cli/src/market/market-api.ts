import { decodeWireValue, formatAmount, type Problem, type WireValue } from '@parley/protocol'
import { CliError } from '../cli-error.ts'

/** What `GET /v1/server` states about the market. */
export type ServerFacts = {
  readonly did: string
  readonly public_url: string
  readonly chain_id: number
  readonly symbol: string
  readonly decimals: number
  readonly escrow: `0x${string}`
}

/** The HTTP interface of a market, as a program with a wallet's token uses it. @see SPEC.md#clients */
export type MarketApi = {
  readonly hub: string
  readonly facts: ServerFacts
  post<Answer>(path: string, body?: object): Promise<Answer>
  command<Answer>(command: { readonly type: string; readonly [field: string]: unknown }): Promise<Answer>
  /** A procedure of the web that only reads. */
  read<Answer>(procedure: string, input: object): Promise<Answer>
  /** A procedure of the web without an input. */
  act<Answer>(procedure: string): Promise<Answer>
  /** A file of the web, for example a transcript. */
  fetchFromWeb(path: string): Promise<Response>
  /** An amount with its symbol, for people. */
  money(amount: bigint | string): string
}

const timeoutMs = 60_000

/** @throws {CliError} if there is no hub, or it cannot be reached */
export async function openMarketApi(hub: string, token?: string): Promise<MarketApi> {
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const facts = await readFacts(hub)
  const post = async <Answer>(path: string, body?: object) =>
    (await requestJson(`${hub}${path}`, { method: 'POST', headers, ...(body && { body: JSON.stringify(body) }) })) as Answer
  return {
    hub,
    facts,
    post,
    command: (command) => post('/v1/commands', command),
    async read<Answer>(procedure: string, input: object) {
      const url = `${facts.public_url}/api/trpc/${procedure}?input=${encodeURIComponent(JSON.stringify({ json: input }))}`
      const { result } = (await requestJson(url, { headers })) as { result: { data: WireValue } }
      return decodeWireValue(result.data) as Answer
    },
    async act<Answer>(procedure: string) {
      const url = `${facts.public_url}/api/trpc/${procedure}`
      const init = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body: '{}' }
      const { result } = (await requestJson(url, init)) as { result: { data: WireValue } }
      return decodeWireValue(result.data) as Answer
    },
    fetchFromWeb: (path) => request(`${facts.public_url}${path}`, { headers }),
    money: (amount) => `${formatAmount(BigInt(amount), facts.decimals)} ${facts.symbol}`,
  }
}

async function readFacts(hub: string): Promise<ServerFacts> {
  const facts = (await requestJson(`${hub}/v1/server`, {}).catch((error: CliError) => {
    if (error.isTemporary) throw error
    throw notHub(hub)
  })) as Partial<ServerFacts> | null
  if (!URL.canParse(facts?.public_url ?? '') || typeof facts?.did !== 'string' || typeof facts.decimals !== 'number') throw notHub(hub)
  return facts as ServerFacts
}

const notHub = (hub: string) =>
  new CliError(`${hub} is not the hub of a market. Its address is not that of the web; by default it has port 4000.`)

async function requestJson(url: string, init: RequestInit): Promise<unknown> {
  const response = await request(url, init)
  if (response.status === 204) return null
  const text = await response.text().catch(() => '')
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw new CliError(`${new URL(url).origin} did not answer with JSON. Check the address, or name another with --hub.`)
  }
}

async function request(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(timeoutMs) }).catch((cause: Error) => {
    const reason = `${new URL(url).origin} cannot be reached: ${causeOf(cause)}.`
    throw new CliError(`${reason} Check the address, or name another with --hub.`, { isTemporary: true })
  })
  if (response.ok) return response
  throw describeRefusal(await response.text().catch(() => ''), response)
}

const causeOf = (error: Error): string => (error.cause instanceof Error && error.cause.message !== '' ? error.cause.message : error.message)

/** A problem of the hub or of the web, as one or two sentences with its code. */
function describeRefusal(text: string, { status, url }: Response): CliError {
  const isTemporary = status === 429 || status >= 500
  try {
    const body = JSON.parse(text) as Partial<Problem> & { error?: { json?: { message?: string; data?: { problem?: Partial<Problem> } } } }
    const { detail, hint, code } = body.error?.json?.data?.problem ?? body
    const words = [detail ?? body.error?.json?.message, hint].filter((part) => part !== undefined)
    if (words.length > 0) return new CliError(`${words.join(' ')} (${code ?? status})`, { isTemporary, ...(code && { code }) })
  } catch {
    // Not JSON: a proxy's page, for example.
  }
  return new CliError(`${new URL(url).origin} answered with status ${status}.`, { isTemporary })
}
