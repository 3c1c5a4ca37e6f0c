import { describe, expect, it } from 'vitest'
import { appendAudit, listAudit } from '../../../server/audit/index.ts'
import { inTransaction } from '../../../server/db.ts'
import { openRoomWorld, system } from '../database-only-world.ts'

const world = openRoomWorld()

describe('listAudit', () => {
  it('gives the rows of one subject, oldest first, without their content', async () => {
    await inTransaction(world.as(system), async (tx) => {
      await appendAudit(tx, { stream: 'agt_1', action: 'listing.publish', after: { payout: '0x1' } })
      await appendAudit(tx, { stream: 'agt_2', action: 'listing.publish' })
      await appendAudit(tx, { stream: 'agt_1', action: 'listing.revise' })
    })
    const listed = await listAudit(world.ctx, 'agt_1')
    expect(listed.map((row) => [row.n, row.action, row.actor, row.at])).toEqual([
      [1, 'listing.publish', 'system:jobs', '2026-03-01T12:00:00.000Z'],
      [2, 'listing.revise', 'system:jobs', '2026-03-01T12:00:00.000Z'],
    ])
    expect(listed[0]).not.toHaveProperty('after')
    expect(await listAudit(world.ctx, 'agt_3')).toEqual([])
  })
})
