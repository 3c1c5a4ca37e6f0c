// Signs a wallet in without a browser, and prints the token for `Authorization: Bearer …`.
// PARLEY_HUB: the hub's URL. WALLET_KEY: the wallet's private key. SCOPES: goals, calls, listings; none: the token can only read.
import { privateKeyToAccount } from 'viem/accounts'
import { createSiweMessage } from 'viem/siwe'

const { PARLEY_HUB: hub = 'http://localhost:4000', WALLET_KEY: key = '', SCOPES: scopes = 'goals' } = process.env

async function post<Answer>(path: string, body?: object): Promise<Answer> {
  const response = await fetch(`${hub}${path}`, { method: 'POST', ...(body && { body: JSON.stringify(body) }) })
  if (!response.ok) throw new Error(await response.text())
  return (await response.json()) as Answer
}

type Nonce = { nonce: string; statement: string; domain: string; uri: string; version: '1'; chain_id: number }

const account = privateKeyToAccount(key as `0x${string}`)
const { chain_id, nonce, statement, domain, uri, version } = await post<Nonce>('/v1/nonces')
const message = createSiweMessage({
  ...{ nonce, statement, domain, uri, version, chainId: chain_id, address: account.address },
  issuedAt: new Date(),
  expirationTime: new Date(Date.now() + 300_000),
  resources: scopes.split(',').flatMap((scope) => (scope.trim() === '' ? [] : [`urn:parley:scope:${scope.trim()}`])),
})
const { token } = await post<{ token: string }>('/v1/tokens', { message, signature: await account.signMessage({ message }) })
console.log(token)
