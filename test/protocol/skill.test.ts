import { Address, ArtifactType, DiscoverQuery, GoalBrief, ListingDraft, Part, Problem, ProblemCode, problems } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import briefs from '../../protocol/vectors/valid/goal-brief.json' with { type: 'json' }
import drafts from '../../protocol/vectors/valid/listing-draft.json' with { type: 'json' }

describe('ListingDraft', () => {
  it('fills in what may be left out', () => {
    const draft = ListingDraft.parse(drafts.cases[0]?.value)
    expect(draft).toMatchObject({ readme: '', policy: { data_use: '', max_concurrency: 4 } })
    expect(draft.skills[0]).toMatchObject({ tags: [], samples: [], inputs: [{ optional: false, description: '' }] })
  })
})

describe('ArtifactType and Address', () => {
  it('have one spelling', () => {
    for (const type of ['text', 'table.series', 'a.b.c.d.e', 'x_1.y_2']) expect(ArtifactType.safeParse(type).success, type).toBe(true)
    for (const type of ['', '.a', 'a.', 'a..b', '1a', 'a-b', 'A']) expect(ArtifactType.safeParse(type).success, type).toBe(false)
    expect(Address.parse(`0x${'Ab'.repeat(20)}`)).toBe(`0x${'ab'.repeat(20)}`)
  })
})

describe('DiscoverQuery and GoalBrief', () => {
  it('have defaults, and no more than they should', () => {
    expect(DiscoverQuery.parse({})).toEqual({ limit: 50 })
    expect(GoalBrief.parse(briefs.cases[0]?.value)).toMatchObject({ review_hours: 72, visibility: 'public', planner: 'deterministic' })
    expect(GoalBrief.safeParse({ ...briefs.cases[0]?.value, text: '  hi  ' }).error?.issues[0]?.message).toBe(
      'Describe the goal in a sentence.',
    )
  })
})

it('Part carries kinds that this version does not know', () => {
  expect(Part.parse({ hologram: { depth: 3 } })).toEqual({ hologram: { depth: 3 } })
})

describe('problems', () => {
  it('are named noun and what, with a status that HTTP has and a word on retrying', () => {
    for (const [code, { status, retry }] of Object.entries(problems)) {
      expect(code).toMatch(/^[a-z]+(_[a-z]+)?\.[a-z_]+$/)
      expect(status).toBeGreaterThanOrEqual(400)
      expect(status).toBeLessThan(600)
      // Faults of the server pass. A refused caller should not ask again.
      if (status >= 500) expect(retry, code).toBe('later')
      if (status === 403 || status === 404) expect(retry, code).toBe('never')
    }
    expect(ProblemCode.options).toEqual(Object.keys(problems))
  })

  it('can be read from a later version', () => {
    const later = { type: '/problems/weather.bad', title: 'x', status: 503, detail: 'x', code: 'weather.bad', retry: 'later', mood: 1 }
    expect(Problem.parse(later)).toEqual(later)
  })
})
