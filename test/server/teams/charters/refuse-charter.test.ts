import { charterDraftStates, charterDraftTransitions } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { advanceCharterDraft } from '../../../../server/teams/charters/charter-draft.ts'
import { codeOf } from '../../database-only-world.ts'
import { draftOf } from '../charter-drafts.ts'

const at = new Date('2026-01-01T00:00:00Z')
const refuse = (step: number | null) => ({ type: 'charter.refuse', step, reason: 'Not so.', at }) as const
const code = (draft: ReturnType<typeof draftOf>, step: number | null) => codeOf(Promise.try(() => advanceCharterDraft(draft, refuse(step))))

// Whose word counts, the room's messages and the audit are shown in submit-charter.test.ts, in one world for all three verbs.
describe('charter.refuse', () => {
  it('takes the whole of one that was not confirmed, or a step of one that was, which may then not be handed out', () => {
    expect(advanceCharterDraft(draftOf('submitted'), refuse(null))).toMatchObject({
      state: 'refused',
      reason: 'Not so.',
      refusedStep: null,
    })
    expect(advanceCharterDraft({ ...draftOf('confirmed'), steps: [1, 2] } as never, refuse(2))).toMatchObject({
      state: 'refused',
      refusedStep: 2,
      steps: [1],
    })
  })

  it('takes back no confirmed charter as a whole, and names no step that it lacks', async () => {
    expect(await code(draftOf('confirmed'), null)).toBe('charter.wrong_state')
    expect(await code(draftOf('submitted'), 3)).toBe('charter.wrong_state')
  })

  it.each(charterDraftStates.filter((state) => !(charterDraftTransitions[state] as readonly string[]).includes('refused')))(
    'is no word on one that is %s',
    async (state) => {
      expect(await code(draftOf(state), 1)).toBe('charter.wrong_state')
    },
  )
})
