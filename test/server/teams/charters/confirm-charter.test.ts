import { charterDraftStates, charterDraftTransitions } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { advanceCharterDraft } from '../../../../server/teams/charters/charter-draft.ts'
import { codeOf } from '../../database-only-world.ts'
import { draftOf } from '../charter-drafts.ts'

const at = new Date('2026-01-01T00:00:00Z')
const confirm = (steps: readonly number[]) => ({ type: 'charter.confirm', steps, at }) as const

// Whose word counts, the room's messages and the audit are shown in submit-charter.test.ts, in one world for all three verbs.
describe('charter.confirm', () => {
  it('adds steps to those confirmed before, each once and in order', () => {
    const once = advanceCharterDraft(draftOf('submitted'), confirm([2]))
    expect(once).toMatchObject({ state: 'confirmed', steps: [2], decidedAt: at })
    expect(advanceCharterDraft(once, confirm([1, 2]))).toMatchObject({ steps: [1, 2] })
  })

  it.each(charterDraftStates.filter((state) => !(charterDraftTransitions[state] as readonly string[]).includes('confirmed')))(
    'is no word on one that is %s',
    async (state) => {
      expect(await codeOf(Promise.try(() => advanceCharterDraft(draftOf(state), confirm([]))))).toBe('charter.wrong_state')
    },
  )

  it('names no step that the charter lacks', async () => {
    expect(await codeOf(Promise.try(() => advanceCharterDraft(draftOf('submitted'), confirm([3]))))).toBe('charter.wrong_state')
  })
})
