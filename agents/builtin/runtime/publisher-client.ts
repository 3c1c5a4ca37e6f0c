/** HTTP client of a publisher: signs in to the web with a wallet, and publishes listings. */
import type { Listing, ListingDraft } from '@parley/protocol'
import type { PrivateKeyAccount } from 'viem/accounts'
import { createSiweMessage } from 'viem/siwe'

export type PublisherOptions = {
  /** Address at which the web is reached from here, and its public address, which the sign-in message names. */
  readonly webUrl: string
  readonly publicUrl: string
  readonly chainId: number
  readonly account: PrivateKeyAccount
}

export type PublishedAgent = { readonly agent_id: string; readonly did: string; readonly token: string }

export type PublisherClient = {
  /** The publisher's listing with this handle, without long texts. */
  findMine(handle: string): Promise<Listing | undefined>
  publish(listing: ListingDraft): Promise<PublishedAgent>
  /** Updates a listing. A new payout address is signed, and takes effect after a day. */
  revise(mine: Listing, listing: ListingDraft): Promise<{ version: number }>
  /** A new token, which binds a new key to the listing. The former key becomes invalid. */
  rotateKey(agent_id: string): Promise<PublishedAgent>
}

/** The web refused a request. `code`: the problem's code, or `http.<status>`. */
export class WebRefused extends Error {
  override readonly name = 'WebRefused'
  readonly code: string
  readonly status: number
  constructor(code: string, status: number, message: string) {
    super(message)
    this.code = code
    this.status = status
  }
}

type State = PublisherOptions & { cookie: string }

/** Signs in with the wallet (SIWE). @throws {WebRefused} */
export async function signInAsPublisher(options: PublisherOptions): Promise<PublisherClient> {
  const state: State = { ...options, cookie: '' }
  await signIn(state)
  return {
    findMine: (handle) => findMine(state, handle),
    publish: (listing) => call(state, 'mutation', 'registry.publish', { listing }),
    revise: (mine, listing) => revise(state, mine, listing),
    async rotateKey(agent_id) {
      const subject = { agent_id, unbind: true }
      const terms = await call<Terms>(state, 'query', 'registry.getKeyTerms', subject)
      return call(state, 'mutation', 'registry.rotateKey', { ...subject, ...(await sign(state, terms)) })
    },
  }
}

async function signIn(state: State): Promise<void> {
  const { account, chainId, publicUrl } = state
  const { nonce, statement } = await call<{ nonce: string; statement: string }>(state, 'mutation', 'identity.issueNonce')
  const now = Date.now()
  const { host, origin } = new URL(publicUrl)
  const message = createSiweMessage({
    address: account.address,
    chainId,
    domain: host,
    nonce,
    statement,
    uri: origin,
    version: '1',
    issuedAt: new Date(now),
    expirationTime: new Date(now + 300_000),
  })
  await call(state, 'mutation', 'identity.signIn', { message, signature: await account.signMessage({ message }) })
}

/** Calls a tRPC procedure. @throws {WebRefused} */
async function call<T>(state: State, kind: 'query' | 'mutation', path: string, input?: unknown): Promise<T> {
  const url = new URL(`/api/trpc/${path}`, state.webUrl)
  const headers: Record<string, string> = {
    origin: new URL(state.publicUrl).origin,
    'content-type': 'application/json',
    ...(state.cookie && { cookie: state.cookie }),
  }
  // The web's serializer wraps plain values in `json`.
  const body = input === undefined ? undefined : JSON.stringify({ json: input })
  if (kind === 'query' && body) url.searchParams.set('input', body)
  const response = await fetch(url, {
    method: kind === 'query' ? 'GET' : 'POST',
    headers,
    ...(kind === 'mutation' && { body: body ?? '{}' }),
    signal: AbortSignal.timeout(20_000),
  })
  const cookies = response.headers.getSetCookie().map((one) => one.split(';')[0] ?? '')
  if (cookies.length > 0) state.cookie = cookies.join('; ')
  const answer = (await response.json().catch(() => ({}))) as Answer
  if (!response.ok || !answer.result) throw refusedBy(path, response.status, answer)
  return answer.result.data?.json as T
}

const sign = async ({ account }: State, { typedData, deadline }: Terms) => ({ deadline, signature: await account.signTypedData(typedData) })

async function findMine(state: State, handle: string): Promise<Listing | undefined> {
  for (let after: string | null | undefined; after !== null; ) {
    const input = { ...(after && { after }) }
    const page = await call<{ listings: Listing[]; next: string | null }>(state, 'query', 'registry.listMine', input)
    const found = page.listings.find((listing) => listing.handle === handle)
    if (found) return found
    after = page.next
  }
  return undefined
}

async function revise(state: State, mine: Listing, listing: ListingDraft): Promise<{ version: number }> {
  const { agent_id } = mine
  const kept = { payout: mine.payout, ...(mine.royalties && { royalties: mine.royalties }) }
  if (listing.payout !== mine.payout) {
    const change = { agent_id, payout: listing.payout, ...(listing.royalties && { royalties: listing.royalties }) }
    const terms = await call<Terms>(state, 'query', 'registry.getPayoutTerms', change)
    await call(state, 'mutation', 'registry.changePayout', { ...change, ...(await sign(state, terms)) })
  }
  return call(state, 'mutation', 'registry.revise', { agent_id, listing: { ...listing, ...kept } })
}

type Terms = { readonly typedData: Parameters<PrivateKeyAccount['signTypedData']>[0]; readonly deadline: number }
type Answer = {
  readonly result?: { readonly data?: { readonly json?: unknown } }
  readonly error?: {
    readonly json?: {
      readonly message?: string
      readonly data?: { readonly problem?: { readonly code?: string; readonly detail?: string } }
    }
  }
}

function refusedBy(path: string, status: number, { error }: Answer): WebRefused {
  const problem = error?.json?.data?.problem
  return new WebRefused(
    problem?.code ?? `http.${status}`,
    status,
    `${path}: ${problem?.detail ?? error?.json?.message ?? `the web answered ${status}`}`,
  )
}
