import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { adviseRail, bestRail, type RailQuestion, railKinds, supportedRails } from '../../../../server/settlement/rails/advise-rail.ts'

const wallet = { hasWallet: true, hasCard: true }
const base: RailQuestion = {
  value: 20_000_000n,
  callsPerSession: 3,
  isTeamKnown: true,
  hasChannels: true,
  client: wallet,
}

describe('suitedRail', () => {
  it.each([
    ['a plan', {}, 'plan', ['worth_holding']],
    ['a plan whose team is still to be found', { isTeamKnown: false }, 'plan', ['team_unknown', 'worth_holding']],
    ['a tiny plan whose team is still to be found', { isTeamKnown: false, value: 1n }, 'plan', ['team_unknown', 'worth_holding']],
    ['calls worth less than half a dollar', { value: 499_999n }, 'voucher', ['gas_exceeds_value']],
    ['half a dollar', { value: 500_000n }, 'plan', ['worth_holding']],
    ['twenty calls', { callsPerSession: 20 }, 'plan', ['worth_holding']],
    ['more than twenty calls', { callsPerSession: 21 }, 'voucher', ['many_calls']],
    ['many tiny calls', { callsPerSession: 21, value: 1n }, 'voucher', ['many_calls', 'gas_exceeds_value']],
    ['one small call', { callsPerSession: 1, value: 5_000_000n }, 'one_shot', ['single_call']],
    ['one larger call', { callsPerSession: 1, value: 5_000_001n }, 'plan', ['worth_holding']],
    ['a client with a card only', { client: { hasWallet: false, hasCard: true } }, 'card', ['no_wallet']],
    ['a client with nothing yet', { client: { hasWallet: false, hasCard: false } }, 'card', ['nothing_connected']],
    ['too little for a card', { client: { hasWallet: false, hasCard: true }, value: 1n }, 'card', ['no_wallet', 'below_card_minimum']],
  ] as const)('for %s', (_what, change, rail, codes) => {
    const advice = bestRail({ ...base, ...change })
    expect([advice.rail, advice.reasons.map((reason) => reason.code)]).toEqual([rail, codes])
  })
})

describe('adviseRail', () => {
  it('names only what the server carries out, and reports it where something else would suit better', () => {
    expect(adviseRail(base)).toMatchObject({ rail: 'plan', suited: 'plan', reasons: [{ code: 'worth_holding' }] })
    expect(adviseRail({ ...base, value: 1n })).toMatchObject({
      rail: 'voucher',
      suited: 'voucher',
      reasons: [{ code: 'gas_exceeds_value' }],
    })
    expect(adviseRail({ ...base, value: 1n, hasChannels: false })).toMatchObject({
      rail: 'plan',
      suited: 'voucher',
      reasons: [{ code: 'gas_exceeds_value' }, { code: 'not_run_here' }],
    })
    expect(adviseRail({ ...base, callsPerSession: 1, value: 1_000_000n })).toMatchObject({ rail: 'plan', suited: 'one_shot' })
  })

  it('always has a rail that the client can use, with a reason in a sentence, and none on a card that speaks of escrow', () => {
    const questions = fc.record({
      value: fc.bigInt(0n, 10n ** 12n),
      callsPerSession: fc.nat(1_000),
      isTeamKnown: fc.boolean(),
      hasChannels: fc.boolean(),
      client: fc.record({ hasWallet: fc.boolean(), hasCard: fc.boolean() }),
    })
    fc.assert(
      fc.property(questions, (question) => {
        const { rail, suited, reasons } = adviseRail(question)
        expect(supportedRails).toContain(rail)
        if (rail === 'voucher') expect(question.hasChannels && question.isTeamKnown).toBe(true)
        expect(railKinds).toContain(suited)
        expect(reasons.some(({ code }) => code === 'not_run_here')).toBe(suited !== rail)
        expect(rail === 'card').toBe(!question.client.hasWallet)
        expect(reasons.length).toBeGreaterThan(0)
        for (const { sentence } of reasons) expect(sentence).toMatch(/^[A-Z].*\.$/)
        if (rail === 'card') for (const { sentence } of reasons) expect(sentence).not.toMatch(/escrow/i)
      }),
    )
  })
})
