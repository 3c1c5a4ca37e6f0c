/** The publisher's side of the web: sign in with a wallet, and put listings on offer. Plain HTTP, as any publisher's program would. */
import type { Listing, ListingDraft } from '@parley/protocol'
import type { PrivateKeyAccount } from 'viem/accounts'
import { createSiweMessage } from 'viem/siwe'

export type PublisherOptions = {
  /** Where the web answers, and the address that people know it by: a sign-in message names the latter. */
  readonly webUrl: string
  readonly publicUrl: string
  readonly chainId: number
  readonly account: PrivateKeyAccount
}

export type Published = { readonly agent_id: string; readonly did: string; readonly token: string }

export type Publisher = {
  /** Its own listing of this handle, without long texts. */
  findMine(handle: string): Promise<Listing | undefined>
  publish(listing: ListingDraft): Promise<Published>
  /** Another payout is signed, and takes effect a day later. */
  revise(mine: Listing, listing: ListingDraft): Promise<{ version: number }>
  /** A new token for a listing whose key is not ours; the key that stood there ends. */
  rekey(agent_id: string): Promise<Published>
}

/** What the web refused, with its code where it gave one. */
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

export async function signInAsPublisher({ webUrl, publicUrl, chainId, account }: PublisherOptions): Promise<Publisher> {
  let cookie = ''

  async function call<T>(kind: 'query' | 'mutation', path: string, input?: unknown): Promise<T> {
    const url = new URL(`/api/trpc/${path}`, webUrl)
    const headers: Record<string, string> = {
      origin: new URL(publicUrl).origin,
      'content-type': 'application/json',
      ...(cookie && { cookie }),
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
    const set = response.headers.getSetCookie().map((one) => one.split(';')[0] ?? '')
    if (set.length > 0) cookie = set.join('; ')
    const answer = (await response.json().catch(() => ({}))) as Answer
    if (!response.ok || !answer.result) throw refusedBy(path, response.status, answer)
    return answer.result.data?.json as T
  }

  const signed = async ({ typedData, deadline }: Terms) => ({ deadline, signature: await account.signTypedData(typedData) })

  const { nonce, statement } = await call<{ nonce: string; statement: string }>('mutation', 'identity.issueNonce')
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
  await call('mutation', 'identity.signIn', { message, signature: await account.signMessage({ message }) })

  return {
    async findMine(handle) {
      for (let after: string | null | undefined; after !== null; ) {
        const page = await call<{ listings: Listing[]; next: string | null }>('query', 'registry.listMine', { ...(after && { after }) })
        const found = page.listings.find((listing) => listing.handle === handle)
        if (found) return found
        after = page.next
      }
      return undefined
    },
    publish: (listing) => call('mutation', 'registry.publish', { listing }),
    async revise(mine, listing) {
      const { agent_id } = mine
      const kept = { payout: mine.payout, ...(mine.royalties && { royalties: mine.royalties }) }
      if (listing.payout !== mine.payout) {
        const about = { agent_id, payout: listing.payout, ...(listing.royalties && { royalties: listing.royalties }) }
        const terms = await call<Terms>('query', 'registry.getPayoutTerms', about)
        await call('mutation', 'registry.changePayout', { ...about, ...(await signed(terms)) })
      }
      return call('mutation', 'registry.revise', { agent_id, listing: { ...listing, ...kept } })
    },
    async rekey(agent_id) {
      const about = { agent_id, unbind: true }
      const terms = await call<Terms>('query', 'registry.getKeyTerms', about)
      return call('mutation', 'registry.rekey', { ...about, ...(await signed(terms)) })
    },
  }
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
