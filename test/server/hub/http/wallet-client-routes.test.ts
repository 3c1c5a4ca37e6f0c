import { findQuoteFault, type SignedQuote } from '@parley/protocol'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { createSiweMessage } from 'viem/siwe'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWorld, type TestWorld } from '../../../support/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await createWorld({ jobs: false })
})
afterAll(() => world?.[Symbol.asyncDispose]())

type Sent = { readonly body?: unknown; readonly token?: string }
async function send(route: string, { body, token }: Sent = {}) {
  const [method = '', path = ''] = route.split(' ')
  const response = await fetch(`${world.hubUrl}${path}`, {
    method,
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, answer: text === '' ? null : JSON.parse(text) }
}

async function signedMessage(scopes: readonly string[], account = privateKeyToAccount(generatePrivateKey())) {
  const { answer } = await send('POST /v1/nonces')
  const { nonce, statement, domain, uri, version, chain_id } = answer
  const now = world.clock.now()
  const message = createSiweMessage({
    ...{ nonce, statement, domain, uri, version, chainId: chain_id, address: account.address },
    issuedAt: now,
    expirationTime: new Date(now.getTime() + 300_000),
    resources: scopes.map((scope) => `urn:parley:scope:${scope}`),
  })
  return { message, signature: await account.signMessage({ message }), account }
}
const tokenFor = async (...scopes: string[]): Promise<string> => {
  const { message, signature } = await signedMessage(scopes)
  return (await send('POST /v1/tokens', { body: { message, signature } })).answer.token
}
const goal = () => ({
  ...{ text: 'Write me a short text.', criteria: [{ text: 'It is short.' }], budget: '5000000' },
  deadline: new Date(world.clock.now().getTime() + 3_600_000).toISOString(),
})
const posting = () => ({ type: 'goal.post', id: world.system.ids.uuid(), goal: goal() })

describe('a token', () => {
  it('is issued for a signed message, with its scopes and its end', async () => {
    const { message, signature, account } = await signedMessage(['goals', 'calls'])
    const { status, answer } = await send('POST /v1/tokens', { body: { message, signature, expires_in: 600, name: 'nightly' } })
    expect(status).toBe(201)
    expect(answer).toMatchObject({ did: `did:pkh:eip155:31337:${account.address.toLowerCase()}`, scopes: ['goals', 'calls'] })
    expect(Math.abs(Date.parse(answer.expires_at) - world.clock.now().getTime() - 600_000)).toBeLessThan(30_000)
    expect((await send('POST /v1/commands', { body: posting(), token: answer.token })).answer).toMatchObject({
      room_id: expect.any(String),
    })
    expect((await send('POST /v1/tokens', { body: { message, signature } })).answer.code).toBe('auth.nonce_invalid')
  })

  it('does nothing outside its scopes', async () => {
    for (const token of [await tokenFor(), await tokenFor('calls', 'listings')]) {
      const { status, answer } = await send('POST /v1/commands', { body: posting(), token })
      expect([status, answer.code, answer.facts.scope]).toEqual([403, 'permission.denied', 'goals'])
    }
    const search = { type: 'listing.discover', query: { text: 'report' } }
    expect((await send('POST /v1/commands', { body: search, token: await tokenFor() })).status).toBe(200)
  })

  it('posts no message outside its scopes', async () => {
    const message = { type: 'message.post', room_id: `rom_${'0'.repeat(26)}`, parts: [{ text: 'Hello.' }] }
    const { answer } = await send('POST /v1/commands', { body: message, token: await tokenFor('calls') })
    expect(['permission.denied', 'request.malformed']).toContain(answer.code)
  })

  it('ends', async () => {
    const token = await tokenFor('goals')
    expect((await send('DELETE /v1/tokens/current', { token })).status).toBe(204)
    expect((await send('POST /v1/commands', { body: posting(), token })).answer.code).toBe('auth.required')
    expect((await send('DELETE /v1/tokens/current')).answer.code).toBe('auth.required')
    const brief = await signedMessage(['goals'])
    const { answer } = await send('POST /v1/tokens', { body: { ...brief, account: undefined, expires_in: 60 } })
    world.clock.advance(61_000)
    expect((await send('POST /v1/commands', { body: posting(), token: answer.token })).answer.code).toBe('auth.required')
  })

  it.each([
    ['an unknown scope', () => signedMessage(['everything']), 'request.malformed'],
    ['a life of a week', async () => ({ ...(await signedMessage([])), expires_in: 604_800 }), 'request.malformed'],
    ['no signature', async () => ({ ...(await signedMessage([])), signature: '0x' }), 'auth.signature_invalid'],
    ['nothing', async () => ({}), 'request.malformed'],
  ] as const)('is refused for %s', async (_what, body, code) => {
    expect((await send('POST /v1/tokens', { body: { ...(await body()), account: undefined } })).answer.code).toBe(code)
  })
})

describe('a quote', () => {
  it('is signed by the server, also for a stranger', async () => {
    const { status, answer } = await send('POST /v1/quotes', { body: { text: 'What is 15% of 240?' } })
    expect(status).toBe(201)
    expect(answer).toMatchObject({ outcome: 'unavailable', reason: expect.any(String), closest: [] })
    const about = { issuer: (await send('GET /v1/server')).answer.did as string, now: world.clock.now().getTime() }
    expect(await findQuoteFault(answer as SignedQuote, about)).toBeNull()
    expect(await findQuoteFault({ ...answer, reason: 'Because.' }, about)).toMatch(/signature/)
    expect(await findQuoteFault(answer, { ...about, now: about.now + 400_000 })).toMatch(/expired/)
  })

  it('refuses a wrong token, and a body that is none', async () => {
    expect((await send('POST /v1/quotes', { body: { text: 'What is 15% of 240?' }, token: 'x' })).answer.code).toBe('auth.required')
    expect((await send('POST /v1/quotes', { body: { text: 'Hi' } })).answer.code).toBe('request.malformed')
    expect((await send('POST /v1/quotes', { body: { text: 'x'.repeat(200_000) } })).status).toBe(413)
  })
})
