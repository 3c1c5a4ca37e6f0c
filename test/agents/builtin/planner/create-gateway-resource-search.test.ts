import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type DeliveredEnvelope, randomSeed, signerFromSeed } from '@parley/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listingDraftOf } from '../../../../agents/builtin/listings.ts'
import { createGatewayOfferSource } from '../../../../agents/builtin/planner/sourcing/gateway-offer-source.ts'
import type { OfferSource } from '../../../../agents/builtin/planner/sourcing/offer-source.ts'
import { startPlanner } from '../../../../agents/builtin/planner/start-planner.ts'
import { loadStrategies } from '../../../../agents/builtin/planner/strategies/strategy-selector.ts'
import { createResourceFinder } from '../../../../agents/builtin/resource-gateway/discovery/resource-finder.ts'
import type { AgentSession } from '../../../../agents/src/index.ts'
import { readStoredMessages } from '../../../../server/delivery/index.ts'
import { createRule } from '../../../../server/policy/index.ts'
import { getListing } from '../../../../server/registry/index.ts'
import { listPayouts } from '../../../../server/settlement/index.ts'
import { listSteps } from '../../../../server/teams/index.ts'
import { type Asked, type Exchange, type ModelAnswer, type ModelDouble, replayOf, startModelDouble } from '../../../support/model-double.ts'
import { createWorld, type TestPerson, type TestWorld } from '../../../support/world.ts'
import { type MarketGateway, openMarketGateway } from '../resource-gateway/market-gateway.ts'
import { type GatewayFixture, type Made, openGatewayFixture, shout, shoutSkill } from '../resource-gateway/resources.ts'
import { writeRun } from '../resource-gateway/write-run-report.ts'
import { exchangeOf } from '../transcripts/exchange.ts'

/** A whole goal, on a machine that has other work: a limit that only a hang reaches. */
const wholeMs = 240_000
const isRecording = process.env.RECORD === 'yes'

/** What the model of the recorded talks says, by what it is asked. */
function answerHere(asked: Asked): ModelAnswer {
  const last = asked.messages.at(-1)?.content ?? ''
  if (asked.response_format?.json_schema.name === 'critique') return { content: { faults: [] } }
  if (asked.messages.length === 2 && asked.tools)
    return { calls: [{ name: 'agent_discovery', args: { queries: ['yelled'], elsewhere: false } }] }
  if (!asked.response_format) return { calls: [{ name: 'team_up', args: { agents: ['elsewhere-1'] } }] }
  const [, offer = '0'] = /"offer":(\d+),"agent":"[^"]+","skill":"text\.yell"/.exec(last) ?? []
  return {
    content: {
      question: null,
      summary: 'The text, yelled.',
      values: [{ type: 'query.text', json: '{"text":"the report is late"}' }],
      wanted: ['text.yelled'],
      steps: [{ offer: Number(offer), inputs: [{ port: 'text', from_step: null, value: 1 }] }],
    },
  }
}
const announced = [
  '"goal":"Yell this text',
  '"query":"yelled"',
  '"agent":"elsewhere-1"',
  '"skill":"text.yell"',
  '"through":"did:key:',
  '"agent":"proxy-',
]

describe.each(['model', 'hybrid'] as const)('a planner in mode %s, where gateways are known,', { timeout: wholeMs }, (mode) => {
  const file = path.join(import.meta.dirname, `../transcripts/${mode}-elsewhere.json`)
  const errors: unknown[] = []
  const talk: Exchange[] = []
  let world: TestWorld
  let fixture: GatewayFixture
  let gateway: MarketGateway
  let double: ModelDouble
  let principal: AgentSession
  let source: OfferSource
  let operator: TestPerson
  let replay: ReturnType<typeof replayOf>

  beforeAll(async () => {
    replay = replayOf(isRecording ? [] : (JSON.parse(readFileSync(file, 'utf8')) as Exchange[]))
    double = await startModelDouble((asked, nth) => {
      if (!isRecording) return replay.answer(asked, nth)
      const answer = answerHere(asked)
      talk.push(
        exchangeOf(
          asked,
          answer,
          announced.filter((words) => asked.messages.at(-1)?.content?.includes(words)),
        ),
      )
      return answer
    })
    world = await createWorld()
    fixture = await openGatewayFixture()
    const owner = await world.person({ usdc: 0n })
    operator = await world.person({ usdc: 0n })
    const warn = (error: unknown) => void errors.push(error)
    gateway = await openMarketGateway(world, owner, 'near-gateway', [fixture.origin], warn)
    const seed = randomSeed()
    const { did, address: at } = { did: gateway.serving.gateway.did, address: gateway.serving.address }
    source = createGatewayOfferSource(
      createResourceFinder({
        ...{ signer: await signerFromSeed(seed), gateways: [{ did, at }], local: () => [], now: Date.now },
        ...{ bounds: { ms: 10_000, bytes: 262_144 }, policy: { allowed: new Set([at]) } },
      }),
    )
    const { token } = await world.publish(owner, listingDraftOf('principal', owner.account.address))
    const planners = await loadStrategies({ apiKey: 'none', baseURL: double.baseURL, model: 'local-double' })
    principal = await startPlanner(planners, { url: world.hubUrl, seed, token, warn }, source)
  })
  afterAll(async () => {
    principal?.close()
    await gateway?.close()
    await fixture?.close()
    await double?.[Symbol.asyncDispose]()
    await world?.[Symbol.asyncDispose]()
  })

  async function admit(id: string, price = '150000'): Promise<Made> {
    const outputs = [{ ...shoutSkill.outputs[0], type: `${id}ed` }] as typeof shoutSkill.outputs
    const skill = { ...shoutSkill, id, name: id, description: 'Says it loud.', tags: [`${id.slice(5)}ed`], outputs, price }
    const made = await fixture.make(shout, { name: id.slice(5), operator: operator.did as `did:pkh:eip155:1:0x`, skills: [skill] })
    const pool = gateway.serving.gateway
    expect(await pool.register(made.card, pool.issueTicket(made.card.resource))).not.toHaveProperty('fault')
    return made
  }
  const need = (text: string, max_price = '1000000') => ({ outputs: [], text, max_price })

  it('finds there what no one here answers, has it put on offer, hires it, and its operator is paid', async () => {
    const made = await admit('text.yell')
    const client = await world.person()
    const goal = await world.postFundedGoal(client, { text: 'Yell this text: "the report is late"', planner: mode })
    const reach = (state: string) =>
      world.until(`the goal to be ${state}`, async () => (await world.goal(goal.id)).state === state, wholeMs)
    await reach('review')
    const log = await readStoredMessages(world.system, { roomId: goal.roomId, after: 0, limit: 1_000 })
    const roomMessages = log.map((one) => JSON.parse(one.body) as DeliveredEnvelope)
    const data = roomMessages.flatMap(({ parts }) => parts.flatMap((part) => (part.data?.kind === 'plan' ? [part.data] : [])))
    expect(data).toMatchObject([{ mode, made: { prompts: expect.arrayContaining(['plan.v4']), refused: [] } }])
    expect(JSON.stringify(roomMessages)).toContain('(a resource elsewhere, tested by near-gateway)')
    const [step] = await listSteps(world.system, goal.id)
    const proxy = await getListing(world.system, step?.agentId ?? '')
    expect(proxy.proxy).toMatchObject({ resource: made.card.resource, gateway: { handle: 'near-gateway' } })
    await client.send({ type: 'task.accept', goal_id: goal.id })
    await reach('paid')
    const payouts = await listPayouts(world.system, { goalId: goal.id })
    expect(payouts.find((one) => one.amount === 150_000n)).toMatchObject({ state: 'paid', payee: operator.account.address.toLowerCase() })
    expect(errors).toEqual([])
    if (isRecording) {
      writeFileSync(file, `${JSON.stringify(talk, null, 2)}\n`)
      const names = new Map([
        [principal.did, 'principal'],
        [proxy.did, proxy.handle],
        [client.did, 'client'],
      ])
      const nameOf = (did: string) => names.get(did) ?? 'server'
      await writeRun({
        ...{ text: goal.text, proxy, asked: ['near-gateway'], messages: roomMessages, payouts, nameOf },
        name: `gateway-${mode}`,
      })
    }
    expect(replay.faults).toEqual([])
  })

  it('gets nothing that costs more than may be paid, and nothing that a rule denies, though it was found before', async () => {
    const made = await admit('text.bawl', '200000')
    expect(await source.findResources?.(need('bawled', '199999'))).toEqual([])
    const [found] = (await source.findResources?.(need('bawled'))) ?? []
    expect(found?.admission.resource).toBe(made.card.resource)
    const system = world.world.contextFor({ kind: 'system', name: 'jobs' })
    const rule = { effect: 'deny' as const, points: ['admit' as const], subject: { did: made.card.resource }, reason: 'It is on trial.' }
    await createRule(system, { type: 'rule.create', rule })
    await gateway.serving.tick()
    expect(found && (await source.openListing?.(principal, found))).toBeNull()
    expect(await source.findResources?.(need('bawled', '300000'))).toEqual([])
  })
})
