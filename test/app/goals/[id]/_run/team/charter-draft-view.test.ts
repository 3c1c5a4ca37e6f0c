import { describe, expect, it } from 'vitest'
import { type CharterDraftFacts, draftView } from '../../../../../../app/goals/[id]/_run/team/charter-draft-view.ts'

const facts = (changes: Partial<CharterDraftFacts> = {}): CharterDraftFacts => ({
  charterHash: '0x1',
  number: 1,
  rationale: 'The cheapest.',
  state: 'submitted',
  steps: [],
  refusedStep: null,
  reason: null,
  charter: {
    version: 1,
    principal_id: 'did:lead',
    steps: [1, 2, 3].map((step) => ({
      step,
      title: `Step ${step}`,
      agent_id: `agt_${step}`,
      sender_id: step === 3 ? 'did:lead' : `did:${step}`,
      amount: '1000000',
      depends_on: step === 1 ? [] : [step - 1],
    })),
  },
  ...changes,
})
const team = { version: 1, isRecorded: true }
const statuses = (...given: Parameters<typeof draftView>) => draftView(...given).lines.map((line) => line.status)
const planned = [1, 2, 3].map((step) => ({ step, state: 'planned' as const }))

describe('draftView', () => {
  it('asks about the charter first, with all that it costs', () => {
    expect(draftView(facts(), null, [])).toMatchObject({ asks: 'charter', total: 3_000_000n })
    expect(statuses(facts(), null, [])).toEqual(['new', 'new', 'own'])
  })

  it('asks about a step once it could begin, and no earlier', () => {
    const confirmed = facts({ state: 'confirmed' })
    expect(draftView(confirmed, null, []).asks).toBeNull()
    expect(draftView(confirmed, { ...team, isRecorded: false }, planned).asks).toBeNull()
    expect(draftView(confirmed, team, planned)).toMatchObject({ asks: 'steps' })
    expect(statuses(confirmed, team, planned)).toEqual(['ready', 'waiting', 'own'])
    const later = [{ step: 1, state: 'done' as const }, ...planned.slice(1)]
    expect(statuses(facts({ state: 'confirmed', steps: [1] }), team, later)).toEqual(['begun', 'ready', 'own'])
  })

  it('asks nothing of what was confirmed ahead, nor while a refused step is looked after', () => {
    expect(draftView(facts({ state: 'confirmed', steps: [1, 2] }), team, planned).asks).toBeNull()
    const refused = facts({ state: 'refused', steps: [1], refusedStep: 2, reason: 'By another.' })
    expect(draftView(refused, team, [{ step: 1, state: 'done' }, ...planned.slice(1)])).toMatchObject({ asks: null })
    expect(statuses(refused, team, planned)).toEqual(['confirmed', 'refused', 'own'])
  })

  it('knows what was done under the version before', () => {
    const next = facts({ charterHash: '0x2', charter: { ...facts().charter, version: 2 } })
    expect(statuses(next, team, [{ step: 1, state: 'done' }, ...planned.slice(1)])).toEqual(['begun', 'new', 'own'])
  })
})
