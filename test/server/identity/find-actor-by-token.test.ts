import { describe, expect, it } from 'vitest'
import { hashSecret } from '../../../server/identity/hash-secret.ts'
import { findActorByToken, sessionLifetimeMs } from '../../../server/identity/index.ts'
import { anonymous, openRoomWorld, openSession, type Person } from '../database-only-world.ts'

const world = openRoomWorld()

const login = (person: Person, token: string) => openSession(world, person, { token })
const sessionOf = (token: string) => world.db.session.findUniqueOrThrow({ where: { tokenHash: hashSecret(token) } })

describe('findActorByToken', () => {
  it.each(['', 'nobody', 'x'.repeat(10_000)])('takes an unknown token for no one', async (token) => {
    expect(await findActorByToken(world.ctx, token)).toEqual(anonymous)
  })

  it('does not take the stored hash for the token', async () => {
    await login(world.person(), 'secret-1')
    expect(await findActorByToken(world.ctx, hashSecret('secret-1'))).toEqual(anonymous)
  })

  it('knows a person until the session is over, to the millisecond', async () => {
    const person = world.person()
    await login(person, 'secret-2')
    world.clock.advance(sessionLifetimeMs - 1)
    expect(await findActorByToken(world.ctx, 'secret-2')).toEqual(person.actor)
    world.clock.advance(1)
    expect(await findActorByToken(world.ctx, 'secret-2')).toEqual(anonymous)
  })

  it('does not know a revoked session', async () => {
    await login(world.person(), 'secret-3')
    await world.db.session.update({ where: { tokenHash: hashSecret('secret-3') }, data: { revokedAt: world.clock.now() } })
    expect(await findActorByToken(world.ctx, 'secret-3')).toEqual(anonymous)
  })

  it('does not know a login of another chain', async () => {
    await login(world.person(), 'secret-4')
    expect(await findActorByToken({ ...world.ctx, market: { ...world.ctx.market, chainId: 8_453 } }, 'secret-4')).toEqual(anonymous)
  })

  it('identifies an operator by the wallet', async () => {
    const person = world.person()
    await login(person, 'secret-5')
    expect(await findActorByToken(world.ctx, 'secret-5', [person.actor.address])).toEqual({ ...person.actor, isOperator: true })
  })

  it('remembers when it was last seen, at most once a minute', async () => {
    await login(world.person(), 'secret-6')
    const begun = world.clock.now()
    world.clock.advance(60_000)
    await findActorByToken(world.ctx, 'secret-6')
    expect((await sessionOf('secret-6')).seenAt).toEqual(begun)
    world.clock.advance(1)
    await findActorByToken(world.ctx, 'secret-6')
    expect((await sessionOf('secret-6')).seenAt).toEqual(world.clock.now())
  })
})
