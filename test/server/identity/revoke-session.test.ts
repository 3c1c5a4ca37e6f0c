import { describe, expect, it } from 'vitest'
import { findActorByToken, revokeSession, signOut } from '../../../server/identity/index.ts'
import { anonymous, codeOf, openRoomWorld, openSession, type Person, system } from '../database-only-world.ts'

const world = openRoomWorld()

const login = (person: Person) => openSession(world, person)

describe('revokeSession', () => {
  it.each([
    ['a stranger', anonymous],
    ['a job', system],
  ])('refuses %s', async (_who, actor) => {
    const { id, token } = await login(world.person())
    expect(await codeOf(revokeSession(world.as(actor), id))).toBe('auth.required')
    expect(await findActorByToken(world.ctx, token)).toMatchObject({ kind: 'person' })
  })

  it("leaves another's session alone, and does not say that it exists", async () => {
    const [person, other] = [world.person(), world.person()]
    const { id, token } = await login(person)
    expect(await revokeSession(other.ctx, id)).toEqual(await revokeSession(other.ctx, 'ses_none'))
    expect(await findActorByToken(world.ctx, token)).toEqual(person.actor)
    expect(await world.audit(person.actor.did)).toEqual([])
  })

  it('ends one session of its owner and audits once, however often it is asked', async () => {
    const person = world.person()
    const [one, two] = [await login(person), await login(person)]
    const answers = await Promise.all([
      revokeSession(person.ctx, one.id),
      revokeSession(person.ctx, one.id),
      revokeSession(person.ctx, one.id),
    ])
    expect(answers.filter(({ revoked }) => revoked)).toHaveLength(1)
    expect(await findActorByToken(world.ctx, one.token)).toEqual(anonymous)
    expect(await findActorByToken(world.ctx, two.token)).toEqual(person.actor)
    expect(await world.audit(person.actor.did)).toEqual(['session.revoke'])
  })
})

describe('signOut', () => {
  it('ends the session of the cookie, once', async () => {
    const person = world.person()
    const { token } = await login(person)
    await signOut(world.ctx, token)
    await signOut(world.ctx, token)
    await signOut(world.ctx, 'unknown')
    expect(await findActorByToken(world.ctx, token)).toEqual(anonymous)
    expect(await world.audit(person.actor.did)).toEqual(['session.revoke'])
  })
})
