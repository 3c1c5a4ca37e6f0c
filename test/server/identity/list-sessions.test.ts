import { describe, expect, it } from 'vitest'
import { hashSecret } from '../../../server/identity/hash-secret.ts'
import { listSessions, revokeSession, sessionLifetimeMs } from '../../../server/identity/index.ts'
import { codeOf, openRoomWorld, openSession, type Person } from '../database-only-world.ts'

const world = openRoomWorld()
const login = (person: Person, agent: string) => openSession(world, person, { agent })

describe('listSessions', () => {
  it('refuses a stranger', async () => {
    expect(await codeOf(listSessions(world.ctx))).toBe('auth.required')
  })

  it('shows an API token none, regardless of its scopes, and lets it end none', async () => {
    const person = world.person()
    const { id } = await login(person, 'browser')
    const token = world.as({ ...person.actor, scopes: ['goals', 'calls', 'listings'] })
    expect(await codeOf(listSessions(token))).toBe('permission.denied')
    expect(await codeOf(revokeSession(token, id))).toBe('permission.denied')
    expect(await listSessions(person.ctx)).toHaveLength(1)
  })

  it('shows the own sessions that still stand, newest first, without secrets', async () => {
    const [person, other] = [world.person(), world.person()]
    const over = await login(person, 'over')
    world.clock.advance(sessionLifetimeMs)
    const revoked = await login(person, 'revoked')
    await revokeSession(person.ctx, revoked.id)
    const first = await login(person, 'first')
    world.clock.advance(1_000)
    const second = await login(person, 'second')
    await login(other, 'other')
    const listed = await listSessions(person.ctx)
    expect(listed.map(({ id, user_agent }) => [id, user_agent])).toEqual([
      [second.id, 'second'],
      [first.id, 'first'],
    ])
    for (const { token } of [over, first, second]) {
      expect(JSON.stringify(listed)).not.toContain(token)
      expect(JSON.stringify(listed)).not.toContain(hashSecret(token))
    }
  })
})
