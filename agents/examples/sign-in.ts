// Signs a wallet in without a browser, and prints the token for `Authorization: Bearer …` at MCP and A2A.
// PARLEY_WEB: the web, by the address that it is reached at. CHAIN_ID: of the market. WALLET_KEY: the wallet's private key.
import { privateKeyToAccount } from 'viem/accounts'
import { createSiweMessage } from 'viem/siwe'

const { PARLEY_WEB: web = 'http://localhost:3000', CHAIN_ID: chainId = '31337', WALLET_KEY: key = '' } = process.env

async function call(name: string, json: object): Promise<Response> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${web}/api/trpc/${name}`, { method: 'POST', headers, body: JSON.stringify({ json }) })
  if (!response.ok) throw new Error(await response.text())
  return response
}

const account = privateKeyToAccount(key as `0x${string}`)
const asked = (await (await call('identity.issueNonce', {})).json()) as { result: { data: { json: { nonce: string; statement: string } } } }
const message = createSiweMessage({
  ...asked.result.data.json,
  address: account.address,
  domain: new URL(web).host,
  uri: new URL(web).origin,
  version: '1',
  chainId: Number(chainId),
  issuedAt: new Date(),
  expirationTime: new Date(Date.now() + 300_000),
})
const answer = await call('identity.signIn', { message, signature: await account.signMessage({ message }) })
console.log(/parley_session=([^;]+)/.exec(answer.headers.get('set-cookie') ?? '')?.[1])
