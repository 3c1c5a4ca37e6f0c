import { createHash } from 'node:crypto'
import { createSiweMessage } from 'viem/siwe'
import { describe, expect, it } from 'vitest'
import type { Context } from '../../../server/context.ts'
import {
  findActorByToken,
  issueApiToken,
  issueNonce,
  parseOperators,
  sessionLifetimeMs,
  signIn,
  siweStatement,
} from '../../../server/identity/index.ts'
import { codeOf, openRoomWorld, type Person } from '../database-only-world.ts'

const world = openRoomWorld()

async function signed(person: Person, change: { nonce?: string; domain?: string; scopes?: readonly string[] } = {}) {
  const now = world.clock.now()
  const message = createSiweMessage({
    address: person.account.address,
    chainId: 31_337,
    domain: change.domain ?? 'localhost:3000',
    nonce: change.nonce ?? (await issueNonce(world.ctx)).nonce,
    uri: 'http://localhost:3000',
    version: '1',
    statement: siweStatement,
    issuedAt: now,
    expirationTime: new Date(now.getTime() + 300_000),
    resources: (change.scopes ?? []).map((scope) => `urn:parley:scope:${scope}`),
  })
  return { message, signature: await person.account.signMessage({ message }), userAgent: 'Bro\u034fwser\u0007\u202e \u2800\ue0001' }
}
const sessionsOf = (person: Person) => world.db.session.count({ where: { personId: person.actor.did } })

describe('signIn', () => {
  it('refuses a nonce that was never issued', async () => {
    const person = world.person()
    expect(await codeOf(signIn(world.ctx, await signed(person, { nonce: 'abcdef0123456789' })))).toBe('auth.nonce_invalid')
    expect(await sessionsOf(person)).toBe(0)
  })

  it('refuses a nonce that waited too long', async () => {
    const person = world.person()
    const { nonce } = await issueNonce(world.ctx)
    world.clock.advance(300_000)
    expect(await codeOf(signIn(world.ctx, await signed(person, { nonce })))).toBe('auth.nonce_invalid')
  })

  it('refuses the signature of another wallet, and leaves the nonce good', async () => {
    const [person, other] = [world.person(), world.person()]
    const input = await signed(person)
    const forged = await other.account.signMessage({ message: input.message })
    expect(await codeOf(signIn(world.ctx, { ...input, signature: forged }))).toBe('auth.signature_invalid')
    expect(await signIn(world.ctx, input)).toMatchObject({ person: { did: person.actor.did } })
  })

  it.each(['', '0x', 'hello', '0xabc', `0x${'00'.repeat(65)}`])('refuses the signature %j', async (signature) => {
    const input = await signed(world.person())
    expect(await codeOf(signIn(world.ctx, { ...input, signature }))).toBe('auth.signature_invalid')
  })

  it('refuses a message that was changed after signing', async () => {
    const person = world.person()
    const input = await signed(person)
    const other = world.person()
    expect(
      await codeOf(signIn(world.ctx, { ...input, message: input.message.replace(person.account.address, other.account.address) })),
    ).toBe('auth.signature_invalid')
  })

  it('refuses a message for another site', async () => {
    expect(await codeOf(signIn(world.ctx, await signed(world.person(), { domain: 'evil.example' })))).toBe('auth.origin_refused')
  })

  it('does not ask a wallet about a message whose nonce is no good', async () => {
    let asked = 0
    const verifyWallet = { ...world.ctx.ports.verifyWallet, message: async () => ++asked > 0 }
    const ctx: Context = { ...world.ctx, ports: { ...world.ctx.ports, verifyWallet } }
    expect(await codeOf(signIn(ctx, await signed(world.person(), { nonce: 'abcdef0123456789' })))).toBe('auth.nonce_invalid')
    expect(asked).toBe(0)
  })

  it("takes an operator's wallet only by its key, regardless of a node's answer", async () => {
    const verifyWallet = { ...world.ctx.ports.verifyWallet, message: async () => true }
    const ctx: Context = { ...world.ctx, ports: { ...world.ctx.ports, verifyWallet } }
    const person = world.person()
    const operators = [person.account.address.toLowerCase()]
    const input = await signed(person)
    const forged = { ...input, signature: (await signed(world.person())).signature }
    expect(await codeOf(signIn(ctx, forged, operators))).toBe('auth.signature_invalid')
    expect((await signIn(ctx, input, operators)).person.isOperator).toBe(true)
  })

  it("issues an API token for an operator's wallet only by its key, without an operator's rights", async () => {
    const verifyWallet = { ...world.ctx.ports.verifyWallet, message: async () => true }
    const person = world.person()
    const market = { ...world.ctx.market, operators: [person.actor.address] }
    const ctx: Context = { ...world.ctx, market, ports: { ...world.ctx.ports, verifyWallet } }
    const asked = { message: (await signed(person, { scopes: ['goals'] })).message, expires_in: 600, name: 'Program' } as const
    const forged = await codeOf(issueApiToken(ctx, { ...asked, signature: (await signed(world.person())).signature }))
    expect(forged).toBe('auth.signature_invalid')
    const { token } = await issueApiToken(ctx, { ...asked, signature: await person.account.signMessage({ message: asked.message }) })
    expect(await findActorByToken(ctx, token, market.operators)).toEqual({ ...person.actor, isOperator: false, scopes: ['goals'] })
  })

  it('opens a session, keeps only the hash of its token, and audits once', async () => {
    const person = world.person()
    const { token, session } = await signIn(world.ctx, await signed(person))
    const row = await world.db.session.findUniqueOrThrow({ where: { id: session.id } })
    expect(row).toMatchObject({ tokenHash: createHash('sha256').update(token).digest('hex'), userAgent: 'Browser 1' })
    expect(JSON.stringify(row)).not.toContain(token)
    expect(row.expiresAt.getTime() - world.clock.now().getTime()).toBe(sessionLifetimeMs)
    expect(await world.audit(person.actor.did)).toEqual(['session.open'])
    expect(JSON.stringify(await world.db.auditEntry.findMany({ where: { chain: person.actor.did } }))).not.toContain(token)
    expect(await findActorByToken(world.ctx, token)).toEqual(person.actor)
  })

  it('refuses the same message a second time', async () => {
    const person = world.person()
    const input = await signed(person)
    await signIn(world.ctx, input)
    expect(await codeOf(signIn(world.ctx, input))).toBe('auth.nonce_invalid')
    expect(await sessionsOf(person)).toBe(1)
  })

  it('opens one session for fifty sign-ins with one nonce at once', async () => {
    const person = world.person()
    const input = await signed(person)
    const answers = await Promise.all(Array.from({ length: 50 }, () => codeOf(signIn(world.ctx, input))))
    expect(answers.filter((answer) => answer === 'auth.nonce_invalid')).toHaveLength(49)
    expect(await sessionsOf(person)).toBe(1)
    expect(await world.audit(person.actor.did)).toEqual(['session.open'])
  })

  it('gives each sign-in of one person a session of its own', async () => {
    const person = world.person()
    const [one, two] = await Promise.all([signed(person), signed(person)])
    const [first, second] = await Promise.all([signIn(world.ctx, one), signIn(world.ctx, two)])
    expect(first.token).not.toBe(second.token)
    expect(await world.db.person.count({ where: { id: person.actor.did } })).toBe(1)
  })

  it('knows the operators by their wallets, in any case of letters', async () => {
    const [operator, other] = [world.person(), world.person()]
    const operators = parseOperators(` ${operator.account.address} , nonsense,`)
    expect(operators).toEqual([operator.actor.address])
    expect((await signIn(world.ctx, await signed(operator), operators)).person.isOperator).toBe(true)
    expect((await signIn(world.ctx, await signed(other), operators)).person.isOperator).toBe(false)
  })
})
