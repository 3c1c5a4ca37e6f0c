import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { adviseRail, moneyRails, type RailQuestion } from '../../../server/settlement/rail-policy.ts'

const wallet = { hasWallet: true, hasCard: true }
const base: RailQuestion = { value: 20_000_000n, callsPerSession: 3, isTeamKnown: true, plansWithSameAgents: 1, client: wallet }

describe('adviseRail', () => {
  it.each([
    ['a plan', {}, 'plan', ['worth_holding']],
    ['a plan whose team is still to be found', { isTeamKnown: false }, 'plan', ['team_unknown', 'worth_holding']],
    ['a tiny plan whose team is still to be found', { isTeamKnown: false, value: 1n }, 'plan', ['team_unknown', 'worth_holding']],
    ['calls worth less than half a dollar', { value: 499_999n }, 'voucher', ['gas_exceeds_value']],
    ['half a dollar', { value: 500_000n }, 'plan', ['worth_holding']],
    ['twenty calls', { callsPerSession: 20 }, 'plan', ['worth_holding']],
    ['more than twenty calls', { callsPerSession: 21 }, 'voucher', ['many_calls']],
    ['many tiny calls', { callsPerSession: 21, value: 1n }, 'voucher', ['many_calls', 'gas_exceeds_value']],
    ['nineteen plans with the same agents', { plansWithSameAgents: 19 }, 'plan', ['worth_holding']],
    ['twenty plans with the same agents', { plansWithSameAgents: 20 }, 'epoch', ['many_plans']],
    ['one small call', { callsPerSession: 1, value: 5_000_000n }, 'one_shot', ['single_call']],
    ['one larger call', { callsPerSession: 1, value: 5_000_001n }, 'plan', ['worth_holding']],
    ['a client with a card only', { client: { hasWallet: false, hasCard: true } }, 'card', ['no_wallet']],
    ['a client with nothing yet', { client: { hasWallet: false, hasCard: false } }, 'card', ['nothing_connected']],
    ['too little for a card', { client: { hasWallet: false, hasCard: true }, value: 1n }, 'card', ['no_wallet', 'below_card_minimum']],
  ] as const)('for %s', (_what, change, rail, codes) => {
    const advice = adviseRail({ ...base, ...change })
    expect([advice.rail, advice.reasons.map((reason) => reason.code)]).toEqual([rail, codes])
  })

  it('always has a rail that the client can use, with a reason in a sentence, and none on a card that speaks of escrow', () => {
    const questions = fc.record({
      value: fc.bigInt(0n, 10n ** 12n),
      callsPerSession: fc.nat(1_000),
      isTeamKnown: fc.boolean(),
      plansWithSameAgents: fc.nat(1_000),
      client: fc.record({ hasWallet: fc.boolean(), hasCard: fc.boolean() }),
    })
    fc.assert(
      fc.property(questions, (question) => {
        const { rail, reasons } = adviseRail(question)
        expect(moneyRails).toContain(rail)
        expect(rail === 'card').toBe(!question.client.hasWallet)
        expect(reasons.length).toBeGreaterThan(0)
        for (const { sentence } of reasons) expect(sentence).toMatch(/^[A-Z].*\.$/)
        if (rail === 'card') for (const { sentence } of reasons) expect(sentence).not.toMatch(/escrow/i)
      }),
    )
  })
})
