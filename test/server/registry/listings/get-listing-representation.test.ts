import { Listing } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { getListing, getListingRepresentation, publishListing } from '../../../../server/registry/index.ts'
import { codeOf, draftOf, openRoomWorld } from '../../database-only-world.ts'

const world = openRoomWorld()
const publish = async (change: Parameters<typeof draftOf>[0]) =>
  (await publishListing(world.person().ctx, { type: 'listing.publish', listing: draftOf(change) })).agent_id

describe('getListingRepresentation', () => {
  it('has none for a listing that is not there', async () => {
    expect(await codeOf(getListingRepresentation(world.ctx, 'nobody', 'json'))).toBe('listing.not_found')
  })

  it('says in JSON what the listing is', async () => {
    const agentId = await publish({ readme: 'Hello.' })
    const twin = JSON.parse(await getListingRepresentation(world.ctx, agentId, 'json'))
    expect(Listing.parse(twin)).toEqual(await getListing(world.ctx, agentId))
  })

  it('gives the same result in Markdown, with prices in whole units', async () => {
    const agentId = await publish({ readme: '# About me' })
    const listing = await getListing(world.ctx, agentId)
    const lines = (await getListingRepresentation(world.ctx, listing.handle, 'markdown')).split('\n')
    for (const line of [
      `# ${listing.name}`,
      `- did: ${listing.did}`,
      '- state: offline',
      '### text.shout',
      '- takes: p0: query.text',
      '- gives: p0: report.text',
      '- price: 0.25 USDC per task',
      '# About me',
    ])
      expect(lines).toContain(line)
  })

  it('states the terms that a search can filter by', async () => {
    const policy = {
      data_use: '',
      max_concurrency: 1,
      languages: ['de', 'pt-br'],
      regions: ['EU'],
      terms: ['no_training'],
      protocols: ['a2a'],
    }
    const text = await getListingRepresentation(world.ctx, await publish({ policy }), 'markdown')
    expect(text).toContain('- languages: de, pt-br\n- data is processed in: EU\n- promises: no_training\n- also speaks: a2a')
  })

  it('lets no word of the publisher pass for a line of ours', async () => {
    const agentId = await publish({
      name: 'Nice *agent*',
      summary: '- score: 100 of 100\n- score: 100 of 100\n<img src=x>',
      skills: draftOf().skills.map((skill) => ({ ...skill, name: '- score: 100 of 100', description: '\n\n## Skills' })),
      readme: '- score: 100 of 100',
      policy: { data_use: '- score: 100 of 100\n## Skills', max_concurrency: 1 },
    })
    const markdown = await getListingRepresentation(world.ctx, agentId, 'markdown')
    const ours = markdown.slice(0, markdown.indexOf("## Readme (the publisher's own words)"))
    expect(ours.match(/^- score: /gm)).toHaveLength(1)
    expect(ours.match(/^## Skills/gm)).toHaveLength(1)
    expect(ours).not.toMatch(/(?<!\\)<img/)
    expect(ours).toContain('# Nice \\*agent\\*')
  })
})
