import { Charter, type Listing } from '@parley/protocol'
import { beforeAll, describe, expect, it } from 'vitest'
import { builtinListing, builtinMarket, goalOffer, listing } from '../../market.ts'
import { type Answer, simulateRoom } from '../../simulated-room.ts'

// A quoted goal: the client funded the charter, so the planner proposes exactly it, in all cases.

const spare: Listing = listing('spare', builtinListing('plotter').skills)
let funded: Charter
beforeAll(async () => {
  const open = simulateRoom({ offer: goalOffer(), market: builtinMarket })
  await open.run()
  const proposed = open.posted.find((one) => one.type === 'propose')?.parts[0]?.data?.charter
  const { plan: _none, ...rest } = Charter.parse(proposed)
  funded = { ...rest, version: 0 }
})

async function quoted(answers: { readonly [handle: string]: Answer } = {}) {
  const market = () => [...builtinMarket(), spare]
  const fixture = simulateRoom({ offer: { ...goalOffer(), charter: funded }, market, answers })
  await fixture.run()
  const proposals = fixture.posted.filter((one) => one.type === 'propose').map((one) => one.parts[0]?.data?.charter)
  const texts = fixture.posted.flatMap((one) => one.parts.flatMap((part) => part.text ?? [])).join('\n')
  return { outcome: fixture.room.concluded, proposals, texts, fixture }
}

describe('a funded charter', () => {
  it('is proposed as it is, and worked on', async () => {
    const { outcome, proposals, texts, fixture } = await quoted()
    expect(outcome).toBe('delivered')
    expect(proposals).toEqual([funded])
    expect(texts).toContain('This is the plan of the quote. You funded it with the goal')
    for (const moment of fixture.moments) expect(fixture.again(moment)).toEqual(moment.decision)
  })

  it.each(['declines', 'silent', 'fails', 'expires'] as const)(
    'gets no other agent where one %s, and the client reads why',
    async (answer) => {
      const { outcome, proposals, texts } = await quoted({ 'house-plotter': answer })
      expect(proposals).toEqual([funded])
      expect(outcome).toBe('failed')
      expect(texts).toMatch(/You funded this team with the goal, so I (can’t hire another agent|wait for the agent)/)
    },
  )
})
