import { describe, expect, it } from 'vitest'
import { issueNonce } from '../../../server/identity/index.ts'
import { openRoomWorld } from '../database-only-world.ts'

const world = openRoomWorld()

describe('issueNonce', () => {
  it('gives another one each time, of letters and digits only, with at least 128 random bits', async () => {
    const issued = await Promise.all(Array.from({ length: 20 }, () => issueNonce(world.ctx)))
    expect(new Set(issued.map(({ nonce }) => nonce)).size).toBe(20)
    for (const { nonce } of issued) expect(nonce).toMatch(/^[0-9a-f]{32}$/)
  })

  it('states until when it is good', async () => {
    const { expires_at } = await issueNonce(world.ctx)
    expect(Date.parse(expires_at) - world.clock.now().getTime()).toBe(300_000)
  })

  it('sweeps out what no one used in time, and only that', async () => {
    const old = await issueNonce(world.ctx)
    world.clock.advance(299_999)
    const fresh = await issueNonce(world.ctx)
    world.clock.advance(2)
    await issueNonce(world.ctx)
    const left = await world.db.loginNonce.findMany({ where: { nonce: { in: [old.nonce, fresh.nonce] } } })
    expect(left.map((row) => row.nonce)).toEqual([fresh.nonce])
  })
})
