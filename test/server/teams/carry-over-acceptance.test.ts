import type { Charter } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { carryOverAcceptance } from '../../../server/teams/carry-over-acceptance.ts'
import type { StepView } from '../../../server/teams/charters/step-store.ts'
import type { Team } from '../../../server/teams/team.ts'

const member = { agentId: 'agt_1', did: 'did:key:a' }
const charter = (amount = '5') =>
  ({
    steps: [
      { step: 1, agent_id: 'agt_1', amount },
      { step: 2, agent_id: 'agt_2', amount: '7' },
    ],
  }) as unknown as Charter
const former = (answer: string) => ({ charter: charter(), members: [{ ...member, answer, envelopeId: 'e1' }] }) as unknown as Team
const steps = (state: string) => [{ step: 1, state }] as unknown as StepView[]

describe('carryOverAcceptance', () => {
  it('lets who has done its steps stay signed', () => {
    expect(carryOverAcceptance(member, charter(), former('accepted'), steps('done'))).toEqual({
      ...member,
      answer: 'accepted',
      envelopeId: 'e1',
    })
  })
  it.each([
    ['had declined', charter(), former('declined'), steps('done')],
    ['is still at work', charter(), former('accepted'), steps('assigned')],
    ['gets other terms', charter('6'), former('accepted'), steps('done')],
    ['is new', charter(), null, steps('done')],
  ])('asks again who %s', (_what, next, before, now) => {
    expect(carryOverAcceptance(member, next, before, now)).toMatchObject({ answer: 'invited', envelopeId: null })
  })
})
