import { getAddress } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { createSiweMessage } from 'viem/siwe'
import type { MarketApi } from './market/market-api.ts'
import { type CliSettings, writeSettings } from './settings-store.ts'
import type { Terminal } from './terminal.ts'

type Nonce = {
  readonly nonce: string
  readonly statement: string
  readonly domain: string
  readonly uri: string
  readonly chain_id: number
}
type IssuedToken = { readonly token: string; readonly expires_at: string; readonly scopes: readonly string[] }

const messageLifeMs = 5 * 60_000

export type LoginOptions = { readonly scopes: readonly string[] /** Seconds. */; readonly expiresIn: number }

/** Signs the wallet in (EIP-4361), and keeps the token. */
export async function login(api: MarketApi, wallet: PrivateKeyAccount, options: LoginOptions, terminal: Terminal): Promise<CliSettings> {
  const { nonce, statement, domain, uri, chain_id } = await api.post<Nonce>('/v1/nonces')
  const now = Date.now()
  const message = createSiweMessage({
    nonce,
    statement,
    domain,
    uri,
    version: '1',
    chainId: chain_id,
    address: getAddress(wallet.address),
    issuedAt: new Date(now),
    expirationTime: new Date(now + messageLifeMs),
    resources: options.scopes.map((scope) => `urn:parley:scope:${scope}`),
  })
  const signature = await wallet.signMessage({ message })
  const issued = await api.post<IssuedToken>('/v1/tokens', { message, signature, expires_in: options.expiresIn, name: 'parley CLI' })
  const settings = { hub: api.hub, token: issued.token, expiresAt: issued.expires_at, address: wallet.address.toLowerCase() }
  await writeSettings(settings)
  const scopes = issued.scopes.length === 0 ? 'reading only' : issued.scopes.join(', ')
  terminal.print(`Signed in at ${domain} as ${settings.address} until ${issued.expires_at}. The token is for: ${scopes}.`)
  return settings
}
