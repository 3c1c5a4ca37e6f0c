import { DiscoverQuery } from '@parley/protocol'
import { beforeAll, describe, expect, it } from 'vitest'
import { listFacets, markOnline, publishListing } from '../../../../server/registry/index.ts'
import { draftOf, openRoomWorld } from '../../database-only-world.ts'

const world = openRoomWorld()
const facets = (query: Partial<DiscoverQuery>) => listFacets(world.ctx, DiscoverQuery.parse(query))
const counts = (list: readonly { value: string; count: number }[]) => Object.fromEntries(list.map(({ value, count }) => [value, count]))

async function publish(id: string, price: string, output: string): Promise<string> {
  const draft = draftOf({ price, outputs: [output] })
  const skills = draft.skills.map((skill) => ({ ...skill, id, name: `The ${id}` }))
  return (await publishListing(world.person().ctx, { type: 'listing.publish', listing: { ...draft, skills } })).agent_id
}

beforeAll(async () => {
  await publish('text.shout', '0', 'report.text')
  await publish('text.shout', '250000', 'report.text')
  const online = await publish('text.whisper', '900000', 'report.text')
  await publish('chart.draw', '90000000', 'chart.svg')
  await markOnline(world.ctx, online, 'c1')
})

describe('listFacets', () => {
  it('counts listings by skill, output type, price limit and presence', async () => {
    const all = await facets({})
    expect(all).toMatchObject({ total: 4, online: 1 })
    expect(counts(all.skills)).toEqual({ 'text.shout': 2, 'text.whisper': 1, 'chart.draw': 1 })
    expect(all.skills[0]).toEqual({ value: 'text.shout', label: 'The text.shout', count: 2 })
    expect(counts(all.output_types)).toEqual({ 'report.text': 3, 'chart.svg': 1 })
    // Only limits that let another listing in.
    expect(all.prices.map(({ value, count }) => [value, count])).toEqual([
      ['0', 1],
      ['250000', 2],
      ['1000000', 3],
    ])
  })

  it('counts within what else was asked, and keeps the other choices of the same facet in sight', async () => {
    const chosen = await facets({ skill_id: 'text.shout', max_price: '100000' })
    expect(chosen.total).toBe(1)
    expect(counts(chosen.skills)).toEqual({ 'text.shout': 1 })
    expect(counts(chosen.prices)).toEqual({ '0': 1, '250000': 2 })
    const shouting = await facets({ skill_id: 'text.shout' })
    expect(counts(shouting.skills)).toEqual({ 'text.shout': 2, 'text.whisper': 1, 'chart.draw': 1 })
    expect(shouting.online).toBe(0)
    expect(counts((await facets({ output_type: 'chart.svg' })).output_types)).toEqual({ 'report.text': 3, 'chart.svg': 1 })
    expect((await facets({ online: true })).total).toBe(1)
  })

  it('is empty where nothing fits', async () => {
    expect(await facets({ text: 'photosynthesis' })).toEqual({
      total: 0,
      online: 0,
      skills: [],
      output_types: [],
      prices: [],
      attributes: {},
    })
  })
})
