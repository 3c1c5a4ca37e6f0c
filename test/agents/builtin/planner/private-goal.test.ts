import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { randomSeed, signerFromSeed } from '@parley/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listingDraftOf } from '../../../../agents/builtin/listings.ts'
import { createGatewayOfferSource } from '../../../../agents/builtin/planner/sourcing/gateway-offer-source.ts'
import { startPlanner } from '../../../../agents/builtin/planner/start-planner.ts'
import { loadStrategies } from '../../../../agents/builtin/planner/strategies/strategy-selector.ts'
import { createResourceFinder } from '../../../../agents/builtin/resource-gateway/discovery/resource-finder.ts'
import type { AgentSession } from '../../../../agents/src/index.ts'
import { readStoredMessages } from '../../../../server/delivery/index.ts'
import { type ModelDouble, startModelDouble } from '../../../support/model-double.ts'
import { createWorld, type TestPerson, type TestWorld } from '../../../support/world.ts'

const wholeMs = 90_000
/** Each is in the goal, and none may arrive at a gateway. */
const secrets = ['zanzibar', 'quokka', 'numbat', 'wombat'] as const

describe('the principal of a private goal, where gateways are known,', { timeout: wholeMs }, () => {
  let world: TestWorld
  let client: TestPerson
  let principal: AgentSession
  let gateway: Server
  let double: ModelDouble
  let agentId: string
  const arrived: string[] = []

  beforeAll(async () => {
    gateway = createServer(async (request, response) => {
      let body = ''
      for await (const chunk of request) body += chunk
      arrived.push(`${request.url} ${JSON.stringify(request.headers)} ${body}`)
      response.end(JSON.stringify({ found: [], referrals: [] }))
    })
    await new Promise<void>((ready) => gateway.listen(0, '127.0.0.1', ready))
    // The model repeats the goal's words in what it looks for, beside a type of this market.
    double = await startModelDouble((asked) =>
      asked.messages.length === 2 && asked.tools
        ? {
            calls: [{ name: 'agent_discovery', args: { queries: ['zanzibar.quokka letter', 'plan about zanzibar'], elsewhere: true } }],
          }
        : { content: { question: 'Which letter?', summary: '', values: [], wanted: [], steps: [] } },
    )
    world = await createWorld()
    client = await world.person()
    const owner = await world.person({ usdc: 0n })
    const seed = randomSeed()
    const at = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`
    const { did } = await signerFromSeed(randomSeed())
    const source = createGatewayOfferSource(
      createResourceFinder({
        ...{ signer: await signerFromSeed(seed), gateways: [{ did, at }], local: () => [], now: Date.now },
        ...{ bounds: { ms: 10_000, bytes: 262_144 }, policy: { allowed: new Set([at]) } },
      }),
    )
    const { token, agent_id } = await world.publish(owner, listingDraftOf('principal', owner.account.address))
    agentId = agent_id
    const planners = await loadStrategies({ apiKey: 'none', baseURL: double.baseURL, model: 'local-double' })
    principal = await startPlanner(planners, { url: world.hubUrl, seed, token, warn: () => undefined }, source)
  })
  afterAll(async () => {
    principal?.close()
    gateway?.closeAllConnections()
    gateway?.close()
    await double?.[Symbol.asyncDispose]()
    await world?.[Symbol.asyncDispose]()
  })

  /** Posts a goal with a secret in each of its fields, and waits for what the principal says first after it has looked around. */
  async function post(goal: { text: string; visibility: 'public' | 'private'; planner?: 'deterministic' | 'hybrid' }): Promise<string[]> {
    arrived.length = 0
    const { roomId } = await world.postFundedGoal(client, {
      ...goal,
      criteria: ['It names the quokka.'],
      attachments: [
        { name: 'numbat.txt', media_type: 'text/plain', artifact_type: 'secret.wombat', content: Buffer.from('wombat').toString('base64') },
      ],
      planners: [agentId],
    })
    await world.until('the principal to speak', async () => {
      const log = await readStoredMessages(world.system, { roomId, after: 0, limit: 100 })
      return log.some(({ body }) => /"key":"(ask|short):/.test(body))
    })
    return [...arrived]
  }

  it('asks by the words of a public goal, which shows that the gateway is reachable', async () => {
    const asked = await post({ text: 'Reword the Zanzibar letter, please.', visibility: 'public' })
    expect(asked.join('\n')).toContain('Zanzibar')
  })

  it.each(['deterministic', 'hybrid'] as const)('gives away no word of it in mode %s', async (planner) => {
    const asked = (await post({ text: 'Reword the Zanzibar letter, please.', visibility: 'private', planner })).join('\n').toLowerCase()
    for (const secret of [...secrets, client.did.toLowerCase(), client.account.address.toLowerCase(), 'letter'])
      expect(asked).not.toContain(secret)
    if (planner === 'hybrid') expect(asked).toContain('"output_type":"plan"')
    else expect(asked).toBe('')
  })

  it('asks for what no one here makes by the type of skill', async () => {
    const asked = await post({ text: 'Report the annual revenue of Zanzibar from 2014 to 2020.', visibility: 'private' })
    expect(asked.length).toBeGreaterThan(0)
    const questions = asked.map((one) => (JSON.parse(one.slice(one.indexOf('} {') + 2)) as { params: object }).params)
    for (const question of questions) expect(Object.keys(question).sort()).toEqual(['limit', 'max_price', 'output_type'])
    for (const secret of secrets) expect(asked.join('\n').toLowerCase()).not.toContain(secret)
  })
})
