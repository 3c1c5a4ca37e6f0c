import { DiscoverQuery, Listing, type ListingDraft } from '@parley/protocol'
import { beforeAll, describe, expect, it } from 'vitest'
import { discoverListings, getListing, listFacets, markOnline, publishListing, withdrawListing } from '../../../../server/registry/index.ts'
import { recordTaskOutcome } from '../../../../server/reputation/index.ts'
import { anonymous, codeOf, draftOf, openRoomWorld, type Person, system } from '../../database-only-world.ts'

const world = openRoomWorld()
const day = 86_400_000
const ids = new Map<string, string>()

type Wanted = {
  id: string
  price: string
  inputs?: string[]
  optional?: string[]
  outputs: string[]
  description?: string
  tags?: string[]
}

function skill({ id, price, inputs = [], optional = [], outputs, description = '', tags = [] }: Wanted): ListingDraft['skills'][number] {
  const port = (isOptional: boolean) => (type: string, index: number) => ({
    name: `${isOptional ? 'maybe' : 'p'}${index}`,
    type,
    description: '',
    optional: isOptional,
  })
  return {
    id,
    name: id.replaceAll('.', ' '),
    description,
    inputs: [...inputs.map(port(false)), ...optional.map(port(true))],
    outputs: outputs.map(port(false)),
    price,
    tags,
    samples: [{ title: 'one', input: {}, output: 'out' }],
  }
}

async function publish(handle: string, summary: string, skills: Wanted[], person: Person = world.person()): Promise<string> {
  const draft = draftOf({ handle, name: handle, summary, readme: 'Long.', skills: skills.map(skill) })
  const { agent_id } = await publishListing(person.ctx, { type: 'listing.publish', listing: draft })
  ids.set(handle, agent_id)
  world.clock.advance(1_000)
  return agent_id
}

async function paid(handle: string, steps: number): Promise<void> {
  for (let i = 0; i < steps; i++) {
    const task = { taskId: world.ctx.ids.next('tsk'), goalId: 'gol_1', agentId: ids.get(handle) ?? '', amount: 1n }
    await recordTaskOutcome(world.as(system), { ...task, payerId: '0x1', asset: 'iso4217:USD', outcome: 'paid' })
    await world.db.feedbackInvite.create({ data: { ...task, by: `did:${i}`, invitedAt: world.clock.now() } })
    await world.db.feedback.create({
      data: { id: world.ctx.ids.next('fbk'), ...task, by: `did:${i}`, value: 95, text: '', givenAt: world.clock.now() },
    })
  }
}

const ask = (query: Partial<DiscoverQuery>) => discoverListings(world.ctx, DiscoverQuery.parse(query))
const handles = async (query: Partial<DiscoverQuery>) => (await ask(query)).listings.map((listing) => listing.handle)

beforeAll(async () => {
  const data = {
    id: 'figures.lookup',
    price: '200000',
    inputs: ['query.figures'],
    outputs: ['table.series'],
    description: 'Annual revenue of public companies.',
  }
  await publish('figures', 'Looks up annual figures.', [
    data,
    { id: 'figures.import', price: '100000', inputs: ['table.csv'], outputs: ['table.series'] },
  ])
  await publish('plotter', 'Draws charts.', [
    { id: 'chart.draw_text', price: '300000', inputs: ['table.series'], outputs: ['chart.text'] },
    {
      id: 'chart.draw_svg',
      price: '500000',
      inputs: ['table.series'],
      optional: ['style.sheet'],
      outputs: ['chart.svg'],
      tags: ['Vector'],
    },
  ])
  await publish('babel', 'Does translate texts between languages.', [
    { id: 'text.translate', price: '50000', inputs: ['query.text'], outputs: ['report.text'] },
  ])
  await publish('writer', 'Writes reports.', [
    {
      id: 'report.write',
      price: '900000',
      inputs: ['table.series', 'analysis.trend'],
      optional: ['chart.text'],
      outputs: ['report.markdown'],
    },
  ])
})

describe('discoverListings', () => {
  it('answers everyone', async () => {
    for (const ctx of [world.as(anonymous), world.person().ctx, world.agent('agt_1')])
      expect(await discoverListings(ctx, DiscoverQuery.parse({}))).toHaveProperty('listings')
  })

  it('gives whole listings in the shape of the protocol, without their long texts', async () => {
    const { listings, next } = await ask({})
    expect(listings).toHaveLength(4)
    expect(next).toBeNull()
    for (const listing of listings) {
      expect(Listing.safeParse(listing).success).toBe(true)
      expect([listing.readme, ...listing.skills.map((one) => one.samples.length)]).toEqual(['', ...listing.skills.map(() => 0)])
      const whole = await getListing(world.ctx, listing.agent_id)
      expect(whole.readme).toBe('Long.')
      expect({ ...whole, readme: '', skills: whole.skills.map((one) => ({ ...one, samples: [] })) }).toEqual(listing)
    }
  })

  describe('text', () => {
    it.each([
      ['translate', 'babel'],
      ['tranlate', 'babel'],
      ['TRANSLATION of languages', 'babel'],
      ['transl', 'babel'],
      ['langauges', 'babel'],
      ['babel', 'babel'],
      ['revenue', 'figures'],
      ['revenu of microsoft', 'figures'],
      ['I want to know the annual revenue of Microsoft from 2014 to 2020', 'figures'],
      ['chart', 'plotter'],
      ['draw_svg', 'plotter'],
      ['vector', 'plotter'],
      ['report.markdown', 'writer'],
    ])('%j finds %s first', async (text, handle) => {
      expect((await handles({ text }))[0]).toBe(handle)
    })

    it.each(['photosynthesis', 'zzzz', 'xyzzy qwertz'])('%j finds nothing', async (text) => {
      expect(await handles({ text })).toEqual([])
    })

    it.each(['', '  ', '???', "'; drop table listing; --", '%', '\\', '" or 1=1'])('%j is not read as anything but words', async (text) => {
      expect(await codeOf(handles({ text }))).toBeInstanceOf(Array)
      expect(await world.db.listing.count()).toBeGreaterThanOrEqual(4)
    })
  })

  it('finds by output type, exactly', async () => {
    expect(await handles({ output_type: 'chart.svg' })).toEqual(['plotter'])
    expect(await handles({ output_type: 'chart' })).toEqual([])
  })

  it('finds no one by signs alone, and everyone where nothing is asked', async () => {
    for (const text of ['🙂', '!?', '🇬🇧 …']) expect(await handles({ text }), text).toEqual([])
    expect((await listFacets(world.ctx, DiscoverQuery.parse({ text: '🙂' }))).total).toBe(0)
    expect((await handles({ text: ' ' })).length).toBe((await handles({})).length)
    expect((await handles({})).length).toBeGreaterThan(1)
  })

  it('finds by skill', async () => {
    expect(await handles({ skill_id: 'text.translate' })).toEqual(['babel'])
  })

  it('finds only skills whose needed inputs are available; optional ones need not be', async () => {
    expect(await handles({ input_types: ['table.series'] })).toEqual(['plotter'])
    expect((await handles({ input_types: ['table.series', 'analysis.trend'] })).sort()).toEqual(['plotter', 'writer'])
    expect(await handles({ input_types: [] })).toEqual([])
  })

  it('finds what costs no more', async () => {
    expect((await handles({ max_price: '100000' })).sort()).toEqual(['babel', 'figures'])
    expect(await handles({ max_price: '49999' })).toEqual([])
  })

  it('asks all conditions of one and the same skill', async () => {
    expect(await handles({ output_type: 'chart.svg', max_price: '300000' })).toEqual([])
    expect(await handles({ output_type: 'chart.text', max_price: '300000' })).toEqual(['plotter'])
    expect(await handles({ skill_id: 'figures.lookup', input_types: ['table.csv'] })).toEqual([])
  })

  it('sorts by the price of the fitting skill, the newest, the score and the paid steps', async () => {
    expect(await handles({ sort: 'price' })).toEqual(['babel', 'figures', 'plotter', 'writer'])
    expect(await handles({ sort: 'price', output_type: 'table.series', input_types: ['query.figures'] })).toEqual(['figures'])
    expect(await handles({ sort: 'newest' })).toEqual(['writer', 'babel', 'plotter', 'figures'])
    await paid('plotter', 1)
    await paid('babel', 3)
    expect((await handles({ sort: 'score' })).slice(0, 2)).toEqual(['babel', 'plotter'])
    expect((await handles({ sort: 'paid_steps' })).slice(0, 2)).toEqual(['babel', 'plotter'])
  })

  it('puts who is there before who is not, and finds only them where that is asked', async () => {
    expect(await handles({ online: true })).toEqual([])
    await markOnline(world.ctx, ids.get('writer') ?? '', 'c1')
    expect((await handles({}))[0]).toBe('writer')
    expect(await handles({ online: true })).toEqual(['writer'])
    world.clock.advance(60_001)
    expect(await handles({ online: true })).toEqual([])
  })

  it.each(['relevance', 'price', 'score', 'newest', 'paid_steps'] as const)(
    'pages through %s without a gap or a repetition',
    async (sort) => {
      const all = await handles({ sort })
      const paged: string[] = []
      let after: string | undefined
      do {
        const page = await ask({ sort, limit: 1, ...(after === undefined ? {} : { after }) })
        expect(page.listings.length).toBe(1)
        paged.push(...page.listings.map((listing) => listing.handle))
        after = page.next ?? undefined
      } while (after !== undefined)
      expect(paged).toEqual(all)
    },
  )

  it('pages through listings that count the same', async () => {
    const person = world.person()
    for (let i = 0; i < 7; i++) await publish(`twin-${i}`, 'One of many.', [{ id: 'twin.work', price: '1', outputs: ['twin.out'] }], person)
    const seen = new Set<string>()
    let after: string | undefined
    do {
      const page = await ask({ skill_id: 'twin.work', sort: 'price', limit: 3, ...(after === undefined ? {} : { after }) })
      for (const { handle } of page.listings) {
        expect(seen.has(handle)).toBe(false)
        seen.add(handle)
      }
      after = page.next ?? undefined
    } while (after !== undefined)
    expect(seen.size).toBe(7)
    for (let i = 0; i < 7; i++) await withdrawListing(person.ctx, { type: 'listing.withdraw', agent_id: ids.get(`twin-${i}`) ?? '' })
    expect(await handles({ skill_id: 'twin.work' })).toEqual([])
  })

  it('refuses a cursor that it has not given for this order', async () => {
    const { next } = await ask({ sort: 'price', limit: 1 })
    const forge = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const bad = [
      'x',
      '',
      '!!!',
      forge({}),
      forge(['price', '1', "' or 1=1"]),
      forge(['price', 'NaN', `agt_${'0'.repeat(32)}`]),
      forge(['price', 1, 2]),
    ]
    for (const after of bad) expect(await codeOf(ask({ sort: 'price', after }))).toBe('request.malformed')
    expect(await codeOf(ask({ sort: 'score', after: next ?? '' }))).toBe('request.malformed')
  })

  it('leaves out who has not been seen for thirty days, but not by its own address', async () => {
    await markOnline(world.ctx, ids.get('babel') ?? '', 'c1')
    world.clock.advance(30 * day)
    expect(await handles({})).toEqual(['babel'])
    world.clock.advance(1)
    expect(await handles({})).toEqual([])
    expect(await getListing(world.ctx, 'babel')).toMatchObject({ presence: 'offline' })
  })
})
