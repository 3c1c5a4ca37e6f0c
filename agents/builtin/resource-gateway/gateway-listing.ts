/** The gateway's own listing: it finds resources for teams. */
import type { Json, ListingDraft } from '@parley/protocol'
import { ResourceQuery } from '@parley/protocol'
import { refuse, requireData, type SkillFunction } from '../skill.ts'
import type { Gateway } from './pool/gateway-pool.ts'

export const gatewayHandle = 'house-gateway'

export const gatewayListing = (payout: string): ListingDraft => ({
  handle: gatewayHandle,
  name: 'House Gateway',
  summary: 'Tests tools, models, agents and applications of any make, and finds those that passed.',
  readme: [
    'Resources register with a signed card, prove that they hold the key at their address, and are put through their samples, through nonsense, through orders hidden in their input and through a trap before anyone can find them. They are tested again every hour, and at once where they change.',
    '',
    'Ask it for resources by words, types, topic and region. It answers with its signed word on each; the address of a resource is revealed against a ticket, at its own address.',
  ].join('\n'),
  skills: [
    {
      id: 'resources.find',
      name: 'Find tested resources',
      description: 'Tools, models, agents and applications that this gateway has tested and admitted.',
      inputs: [{ name: 'query', type: 'query.resources', description: 'Words, kind, types, topic, region.', optional: false }],
      outputs: [{ name: 'admissions', type: 'resource.admissions', description: "The gateway's signed word on each.", optional: false }],
      price: '10000',
      tags: ['gateway', 'discovery', 'tools', 'models'],
      samples: [],
    },
  ],
  payout: payout.toLowerCase(),
  policy: { data_use: 'Questions are answered from memory and not kept.', max_concurrency: 16 },
})

/** The skill `resources.find`: searches the public pool. */
export const createFindSkill =
  (gateway: Pick<Gateway, 'find'>): SkillFunction =>
  async (work) => {
    const query = ResourceQuery.safeParse(requireData(work, 'query.resources'))
    if (!query.success) return refuse('The query is invalid. Send text, a kind, types, a topic or a region.')
    const { found } = await gateway.find(query.data, '')
    const admissions = found.map(({ admission }) => admission) as unknown as Json
    const output = {
      name: 'admissions.json',
      media_type: 'application/json',
      artifact_type: 'resource.admissions',
      text: JSON.stringify({ admissions }),
    }
    return { outputs: [output], text: found.length === 0 ? 'Nothing in the pool fits.' : `Found ${found.length}.` }
  }
