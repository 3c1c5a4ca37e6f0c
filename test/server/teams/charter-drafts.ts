import type { Charter, CharterDraftState } from '@parley/protocol'
import type { CharterDraft } from '../../../server/teams/index.ts'

/** A draft of two steps in a state. */
export const draftOf = (state: CharterDraftState): CharterDraft =>
  ({
    goalId: 'gol_1',
    charterHash: '0x1',
    number: 1,
    charter: { steps: [{ step: 1 }, { step: 2 }] } as unknown as Charter,
    rationale: '',
    state,
    steps: [],
    refusedStep: null,
    reason: state === 'refused' ? 'Not so.' : null,
    submittedAt: new Date(0),
    decidedAt: state === 'submitted' ? null : new Date(0),
    rowVersion: 1,
  }) as CharterDraft
