import { homeListingPolicy, type InvitationPolicy } from '@parley/agents'
import { describe, expect, it } from 'vitest'

const payout = `0x${'a'.repeat(40)}`
const listing = { agent_id: 'agt_home', payout, skills: [{ id: 'text.far', price: '1000' }] }
const home = { agent_id: 'agt_home', handle: 'far', discover: async () => ({ listings: [listing], next: null }) } as never
const step = (change = {}) => ({ step: 1, skill_id: 'text.far', payee: payout, amount: '1000', ...change })
/** What the other hub says of the agent's listing counts for nothing. */
const lie = { ...listing, payout: `0x${'b'.repeat(40)}`, skills: [{ id: 'text.far', price: '1' }] }
const ask = (policy: InvitationPolicy, change = {}) => policy({} as never, { steps: [step(change)], listing: lie } as never)

describe('homeListingPolicy', () => {
  it('takes what pays the price of home to the address of home', async () => {
    expect(await ask(homeListingPolicy(home))).toBe(true)
  })

  it('refuses a lower price, another payee, and a skill that home does not offer', async () => {
    expect(await ask(homeListingPolicy(home), { amount: '999' })).toMatch(/my price is 1000/)
    expect(await ask(homeListingPolicy(home), { payee: lie.payout })).toMatch(/my listing at home names/)
    expect(await ask(homeListingPolicy(home), { skill_id: 'text.near' })).toMatch(/don't offer/)
  })

  it('refuses where home has no such listing any more', async () => {
    const gone = { agent_id: 'agt_home', handle: 'far', discover: async () => ({ listings: [], next: null }) } as never
    expect(await ask(homeListingPolicy(gone))).toMatch(/could not find my listing at home/)
  })

  it('hands the listing of home to a policy of one’s own', async () => {
    expect(await ask(homeListingPolicy(home, (_invite, own) => String(own.listing?.payout)))).toBe(payout)
  })
})
