import { describe, expect, it } from 'vitest'
import { reconcilePlanted } from '../../bench/reconcile-planted-errors.ts'
import { createDatabase } from '../support/database.ts'

// The short profile of `npm run bench:reconcile`.

describe('a reconciliation of ledger, chain and Stripe', () => {
  it('finds exactly the faults that were planted', async () => {
    await using database = await createDatabase()
    const { found, planted } = await reconcilePlanted(database.url, 400)
    expect(found).toEqual(planted)
  })
})
