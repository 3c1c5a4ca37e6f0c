import { createHash } from 'node:crypto'
import { canonicalize, type Json } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { appendAudit } from '../../../server/audit/index.ts'
import { inTransaction } from '../../../server/db.ts'
import { openRoomWorld, system } from '../database-only-world.ts'

const world = openRoomWorld()
const append = (chain: string, entry: { action: string; before?: unknown; after?: unknown }) =>
  inTransaction(world.as(system), (tx) => appendAudit(tx, { stream: chain, ...entry }))
const rows = (chain: string) => world.db.auditEntry.findMany({ where: { chain }, orderBy: { n: 'asc' } })

describe('appendAudit', () => {
  it('numbers the rows of a subject from 1 without gaps, each subject for itself', async () => {
    for (const action of ['a.one', 'a.two', 'a.three']) await append('gol_a', { action })
    await append('gol_b', { action: 'b.one' })
    expect((await rows('gol_a')).map((row) => [row.n, row.action])).toEqual([
      [1, 'a.one'],
      [2, 'a.two'],
      [3, 'a.three'],
    ])
    expect((await rows('gol_b')).map((row) => row.n)).toEqual([1])
  })

  it('states who, when and what', async () => {
    const person = world.person()
    await inTransaction(person.ctx, (tx) => appendAudit(tx, { stream: 'gol_who', action: 'goal.post', after: { state: 'funding' } }))
    await append('gol_who', { action: 'goal.close' })
    const [first, second] = await rows('gol_who')
    expect(first).toMatchObject({ actor: person.actor.did, at: world.clock.now(), before: null, after: { state: 'funding' } })
    expect(second).toMatchObject({ actor: 'system:jobs' })
  })

  it('chains each row to the one before, over everything it says', async () => {
    await append('gol_hash', { action: 'one', after: { amount: 12_500_000n, at: world.clock.now(), nothing: undefined } })
    world.clock.advance(1_234)
    await append('gol_hash', { action: 'two', before: { a: [1, null] }, after: { a: [] } })
    let previous = '0'.repeat(64)
    for (const { id: _id, hash, at, ...row } of await rows('gol_hash')) {
      expect(row.previous).toBe(previous)
      const text = canonicalize({ ...row, at: at.toISOString() } as Json)
      expect(hash).toBe(createHash('sha256').update(text).digest('hex'))
      previous = hash
    }
    expect((await rows('gol_hash'))[0]?.after).toEqual({ amount: '12500000', at: expect.any(String) })
  })

  it('takes writers of one subject in sequence', async () => {
    await Promise.all(Array.from({ length: 12 }, (_, index) => append('gol_race', { action: `race.${index}` })))
    const written = await rows('gol_race')
    expect(written.map((row) => row.n)).toEqual(Array.from({ length: 12 }, (_, index) => index + 1))
    for (const [index, row] of written.entries()) expect(row.previous).toBe(written[index - 1]?.hash ?? '0'.repeat(64))
  })

  it('leaves nothing behind when the transaction fails', async () => {
    const failing = inTransaction(world.as(system), async (tx) => {
      await appendAudit(tx, { stream: 'gol_fail', action: 'x.y' })
      throw new Error('on purpose')
    })
    await expect(failing).rejects.toThrow('on purpose')
    expect(await rows('gol_fail')).toEqual([])
  })

  it('is append-only in the database itself', async () => {
    await append('gol_fixed', { action: 'x.y' })
    await expect(world.db.auditEntry.updateMany({ where: { chain: 'gol_fixed' }, data: { actor: 'somebody else' } })).rejects.toThrow(
      /append-only/,
    )
    await expect(world.db.auditEntry.deleteMany({ where: { chain: 'gol_fixed' } })).rejects.toThrow(/append-only/)
    expect((await rows('gol_fixed')).map((row) => row.actor)).toEqual(['system:jobs'])
  })
})
