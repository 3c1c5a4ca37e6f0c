import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type DeliveredEnvelope, randomSeed, signerFromSeed } from '@parley/protocol'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type BuiltinName, builtinHandle } from '../../../agents/builtin/agent-names.ts'
import { analystSkillFunctions as analyst, analystWrappers } from '../../../agents/builtin/analyst/analyst-skill-functions.ts'
import { dataSkillFunctions as data } from '../../../agents/builtin/data/data-skill-functions.ts'
import { listingDraftOf } from '../../../agents/builtin/listings.ts'
import { createGatewayOfferSource } from '../../../agents/builtin/planner/sourcing/gateway-offer-source.ts'
import { type OfferSource, registrySource } from '../../../agents/builtin/planner/sourcing/offer-source.ts'
import { startPlanner } from '../../../agents/builtin/planner/start-planner.ts'
import { deterministicStrategy } from '../../../agents/builtin/planner/strategies/deterministic-strategy.ts'
import { plotterSkillFunctions as plotter } from '../../../agents/builtin/plotter/plotter-skill-functions.ts'
import { createResourceFinder } from '../../../agents/builtin/resource-gateway/discovery/resource-finder.ts'
import { reviewerSkillFunctions as reviewer } from '../../../agents/builtin/reviewer/reviewer-skill-functions.ts'
import { startSkillAgent } from '../../../agents/builtin/runtime/start-skill-agent.ts'
import { toolSkills } from '../../../agents/builtin/tools/index.ts'
import { webSkillFunctions } from '../../../agents/builtin/web/web-skill-functions.ts'
import { writerSkillFunctions as writer } from '../../../agents/builtin/writer/writer-skill-functions.ts'
import { type AgentSession, agent, type PayoutSigner, type SkillHandler } from '../../../agents/src/index.ts'
import { serve } from '../../../bench/web-agent/sites/site.ts'
import { tracker } from '../../../bench/web-agent/sites/tracker.ts'
import { readStoredMessages } from '../../../server/delivery/index.ts'
import type { Goal } from '../../../server/goals/index.ts'
import { getListing } from '../../../server/registry/index.ts'
import { listPayouts } from '../../../server/settlement/index.ts'
import { expireTaskLease } from '../../../server/tasks/index.ts'
import { getTeam, listSteps, listSubTeams } from '../../../server/teams/index.ts'
import { createWorld, type TestPerson, type TestWorld } from '../../support/world.ts'
import { openMarketGateway } from './resource-gateway/market-gateway.ts'
import { openGatewayFixture, shout, shoutSkill } from './resource-gateway/resources.ts'
import { writeRun } from './resource-gateway/write-run-report.ts'

const workers = { data, analyst, plotter, writer, reviewer, calculator: toolSkills('calculator') }
const names = ['data', 'analyst', 'plotter', 'writer', 'reviewer', 'calculator', 'principal'] as const
const guide =
  'I want to know the annual revenue of Microsoft from 2014 to 2020. Please generate a figure in text format, and a trend analysis report'

// Each case runs a whole goal on a real chain.
describe('the built-in team', { timeout: 900_000 }, () => {
  let world: TestWorld
  let owner: TestPerson
  const sessions = new Map<BuiltinName, AgentSession>()
  const seeds = new Map<BuiltinName, string>()
  const payees = new Map<BuiltinName, PayoutSigner>()
  const extraSessions: AgentSession[] = []
  const errors: unknown[] = []
  /** Where the principal asks for what this market lacks. */
  let elsewhere: OfferSource | null = null

  async function start(name: (typeof names)[number], token?: string): Promise<void> {
    const seed = seeds.get(name) ?? randomSeed()
    seeds.set(name, seed)
    const options = { url: world.hubUrl, seed, token, payee: payees.get(name), warn: (error: unknown) => errors.push(error) }
    const session =
      name === 'principal'
        ? startPlanner(() => deterministicStrategy, options, {
            ...registrySource,
            fillGap: async (...asked) => elsewhere?.fillGap?.(...asked),
          })
        : startSkillAgent(workers[name], options, name === 'analyst' ? analystWrappers : {})
    sessions.set(name, await session)
  }

  /** An outsider with one skill that the built-in agents may have, too. */
  async function hire(handle: string, skill: Record<string, unknown>, work: SkillHandler): Promise<AgentSession> {
    const id = String(skill.id)
    const { token } = await world.publish(await world.person({ usdc: 0n }), {
      handle,
      skills: [{ name: id, description: id, tags: [], samples: [], ...skill }] as never,
    })
    const session = await agent({ url: world.hubUrl, token, seed: randomSeed(), skills: { [id]: work } })
    extraSessions.push(session)
    return session
  }

  beforeAll(async () => {
    world = await createWorld()
    owner = await world.person()
    for (const name of names) {
      const { account } = await world.person({ usdc: 0n })
      payees.set(name, account)
      const { token } = await world.publish(owner, listingDraftOf(name, account.address))
      await start(name, token)
    }
  })
  afterEach(() => {
    for (const extraSession of extraSessions.splice(0)) extraSession.close()
  })
  afterAll(async () => {
    for (const session of sessions.values()) session.close()
    await world?.[Symbol.asyncDispose]()
  })

  const room = async (goal: Goal): Promise<DeliveredEnvelope[]> =>
    (await readStoredMessages(world.system, { roomId: goal.roomId, after: 0, limit: 1_000 })).map(
      (one) => JSON.parse(one.body) as DeliveredEnvelope,
    )
  const texts = async (goal: Goal): Promise<string> =>
    (await room(goal)).flatMap((one) => one.parts.flatMap((part) => part.text ?? [])).join('\n')
  const typesIn = (roomMessages: DeliveredEnvelope[]) =>
    roomMessages
      .filter((one) => one.type === 'task_result')
      .flatMap((one) => one.parts.flatMap((part) => part.artifact?.artifact_type ?? []))

  async function reach(goal: Goal, ...states: Goal['state'][]): Promise<Goal> {
    return world.until(`the goal to be ${states.join(' or ')}`, async () => {
      const now = await world.goal(goal.id)
      return states.includes(now.state) && now
    })
  }
  const messagesBy = (goal: Goal, type: string, count = 1) =>
    world.until(`${count} × ${type}`, async () => {
      const found = (await room(goal)).filter((one) => one.type === type)
      return found.length >= count && found
    })

  /** The words of the last conclusion, once there is one. */
  async function answerTo(client: TestPerson, text: string): Promise<string> {
    const goal = await world.postFundedGoal(client, { text, criteria: ['It answers the goal.'] })
    await reach(goal, 'review')
    const roomMessages = await room(goal)
    await client.send({ type: 'task.accept', goal_id: goal.id })
    await reach(goal, 'paid')
    return roomMessages.findLast((one) => one.type === 'conclusion')?.parts[0]?.text ?? ''
  }

  it('answers in one sentence what one tool computes, and is paid', async () => {
    expect(await answerTo(await world.person(), 'Hi! What is 15% of 240? Thanks')).toBe('15% of 240 = 36.')
  })

  it('hires an agent of another publisher by plain words, and fills its schema', async () => {
    const properties = { text: { type: 'string' }, target_language: { type: 'string', description: 'Such as French.' } }
    await hire(
      'polyglot',
      {
        id: 'text.translate',
        name: 'Translate a text',
        inputs: [
          {
            name: 'request',
            type: 'query.translation',
            description: '',
            optional: false,
            schema: { type: 'object', required: ['text', 'target_language'], properties },
          },
        ],
        outputs: [{ name: 'text', type: 'text.translation', description: '', optional: false }],
        price: '200000',
      },
      async ({ inputs }) => ({
        artifacts: [{ name: 'translation.txt', media_type: 'text/plain', artifact_type: 'text.translation', content: 'Guten Morgen' }],
        text: `In ${(inputs.request?.data as { target_language: string } | undefined)?.target_language}: Guten Morgen.`,
      }),
    )
    expect(await answerTo(await world.person(), "Translate 'good morning' to German")).toBe('In German: Guten Morgen.')
  })

  it('answers the goal of the guide, is paid in one settlement, and judges what it worked with', async () => {
    const client = await world.person()
    const goal = await world.postFundedGoal(client, {
      text: guide,
      criteria: ['Covers every year from 2014 to 2020', 'A chart in text form', 'The report states the CAGR'],
    })
    await reach(goal, 'review')
    const roomMessages = await room(goal)
    const messageTypes = roomMessages.map((one) => one.type)
    expect(messageTypes.filter((type) => type === 'async_task_assignment')).toHaveLength(2)
    expect(messageTypes.filter((type) => type === 'sync_task_assignment')).toHaveLength(4)
    expect(typesIn(roomMessages)).toEqual(
      expect.arrayContaining(['table.series', 'chart.text', 'analysis.trend', 'report.markdown', 'review.verdict', 'answer.bundle']),
    )
    const states = roomMessages.map((one) => one.state).filter((state, index, all) => state !== all[index - 1])
    expect(states[0]).toBe('discussion')
    expect(states).toEqual(expect.arrayContaining(['task_assignment', 'execution', 'conclusion']))
    await client.send({ type: 'task.accept', goal_id: goal.id })
    await reach(goal, 'paid')
    const judged = await world.until('judgements', async () => {
      const listing = await getListing(world.system, builtinHandle('data'))
      return listing.score.n >= 2 && listing
    })
    expect(judged.score.mean).toBeGreaterThan(90)
    expect(errors).toEqual([])
  })

  it('lets the analyst hire two for a cross-check under a charter that all sign, and pays them in the same settlement', async () => {
    const client = await world.person()
    const goal = await world.postFundedGoal(client, { text: `${guide}. Please have it checked.` })
    await reach(goal, 'review')
    await client.send({ type: 'task.accept', goal_id: goal.id })
    await reach(goal, 'paid')
    const [team] = await listSubTeams(world.system, goal.id)
    expect(team?.outcome).toBe('completed')
    expect(await getTeam(world.system, goal.id)).toMatchObject({ agreed: true, version: 2 })
    const paid = (await listPayouts(world.system, { goalId: goal.id })).filter((one) => one.state === 'paid')
    expect(new Set(paid.map((one) => one.tx)).size).toBe(1)
    const nested = (await listSteps(world.system, goal.id)).filter((step) => step.roomId === team?.roomId)
    expect(nested.map((step) => [step.skillId, step.amount, paid.find((one) => one.step === step.step)?.amount])).toEqual([
      ['figures.check', 100_000n, 100_000n],
      ['trend.check', 100_000n, 100_000n],
    ])
    expect(paid.find((one) => one.step === team?.step)?.amount).toBe(400_000n)
    expect(await texts(goal)).toMatch(/Checked by others: 7 rows, none missing, none twice, in order\. Recalculated, with the same result/)
    expect(errors).toEqual([])
  })

  it('reads the CSV that the client attached', async () => {
    const csv = 'Month;Visitors\n2023-01;1.204\n2023-02;1.318\n2023-03;\n2023-04;1.612\n2023-05;1.590\n2023-06;1.733\n'
    const client = await world.person()
    const goal = await world.postFundedGoal(client, {
      text: 'Write a trend report on the visitors in the attached table, with a chart as SVG.',
      criteria: ['The report names the highest and the lowest month', 'There is an SVG chart', 'At least 5 data points'],
      attachments: [
        { name: 'visitors.csv', media_type: 'text/csv', artifact_type: 'table.csv', content: Buffer.from(csv).toString('base64') },
      ],
    })
    await reach(goal, 'review', 'refunded')
    const roomMessages = await room(goal)
    expect(typesIn(roomMessages)).toEqual(expect.arrayContaining(['chart.svg', 'report.markdown']))
    const conclusion = roomMessages.find((one) => one.type === 'conclusion')
    expect(conclusion?.parts[0]?.text).toMatch(/Visitors rose from 1,204 \(2023-01\) to 1,733 \(2023-06\)/)
  })

  it('leaves what was completed to its client where the criteria can not be met, and gives the reason', async () => {
    const client = await world.person()
    const goal = await world.postFundedGoal(client, { text: guide, criteria: ['The report covers at least 20 annual figures.'] })
    await reach(goal, 'review')
    expect(await texts(goal)).toMatch(/can't be met.*The data has 7 points; at least 20 are asked/s)
  })

  it('asks in the room what it can not read, and continues with the answer', async () => {
    const client = await world.person()
    const goal = await world.postFundedGoal(client, { text: 'Please make me a report on the annual revenue since 2015.' })
    const question = await world.until('a question', async () => (await room(goal)).find((one) => one.expects === 'reply'))
    expect(question.parts[0]?.text).toMatch(/Which company/)
    await client.send({
      type: 'message.post',
      room_id: goal.roomId,
      act: 'discussion',
      parts: [{ text: 'Apple' }],
      reply_to: question.id,
    })
    await reach(goal, 'review')
    expect(await texts(goal)).toMatch(/annual revenue of Apple, 2015 to the latest/)
  })

  it('has a task on a site done, and hands over the answer with its steps', async () => {
    await using site = await serve(tracker)
    const { token } = await world.publish(owner, listingDraftOf('web', (await world.person({ usdc: 0n })).account.address))
    const warn = (error: unknown) => errors.push(error)
    extraSessions.push(
      await startSkillAgent(webSkillFunctions({ local: [site.origin] }), { url: world.hubUrl, seed: randomSeed(), token, warn }),
    )
    const client = await world.person()
    const goal = await world.postFundedGoal(client, { text: `On ${site.origin}, how many open issues have the label "regression"?` })
    await reach(goal, 'review')
    const roomMessages = await room(goal)
    expect(typesIn(roomMessages)).toEqual(expect.arrayContaining(['web.result', 'answer.bundle']))
    expect(await texts(goal)).toContain('The answer is “81”, after 0 steps by page and 1 by API.')
  })

  it("hires an outsider's skill for a goal that quotes a text", async () => {
    const port = (name: string, type: string) => ({ name, type, description: '', optional: false })
    await hire(
      'loud-voice',
      {
        id: 'text.shout',
        name: 'Shout a text',
        inputs: [port('text', 'query.text')],
        outputs: [port('out', 'text.shout')],
        price: '200000',
      },
      ({ input }) => input.text.toUpperCase(),
    )
    const client = await world.person()
    const goal = await world.postFundedGoal(client, { text: 'Shout this text: "the report is late"' })
    await reach(goal, 'review')
    const result = (await messagesBy(goal, 'task_result'))[0]
    expect(result?.parts.find((part) => part.artifact)?.artifact?.artifact_type).toBe('text.shout')
  })

  it('takes the cheaper agent where there are two', async () => {
    const series = listingDraftOf('plotter', owner.account.address).skills[0]
    const cheap = await hire('thin-pencil', { ...series, price: '100000' }, () => 'a chart')
    const client = await world.person()
    const goal = await world.postFundedGoal(client, { text: guide })
    const [proposal] = await messagesBy(goal, 'propose')
    const charter = proposal?.parts[0]?.data?.charter as { steps: { skill_id: string; sender_id: string; amount: string }[] }
    expect(charter.steps.find((step) => step.skill_id === 'chart.draw_text')).toMatchObject({ sender_id: cheap.did, amount: '100000' })
    await reach(goal, 'review', 'refunded')
  })

  it('replaces an agent that dies in the middle of its step', async () => {
    const series = listingDraftOf('plotter', owner.account.address).skills[0]
    const mute = await hire('mute-pencil', { ...series, price: '50000' }, () => new Promise<string>(() => {}))
    const client = await world.person()
    const goal = await world.postFundedGoal(client, { text: guide })
    const begun = await world.until('the step to begin', async () =>
      (await room(goal)).find((one) => one.type === 'task_progress' && one.sender_id === mute.did),
    )
    mute.close()
    await world.system.db.task.update({ where: { id: begun.task_id as string }, data: { leaseUntil: new Date(0) } })
    await expireTaskLease(world.system, begun.task_id as string)
    await reach(goal, 'review')
    const roomMessages = await room(goal)
    expect(roomMessages.filter((one) => one.type === 'propose')).toHaveLength(2)
    expect(await texts(goal)).toMatch(/I lost step \d \(mute-pencil\)/)
    expect(typesIn(roomMessages).filter((type) => type === 'chart.text')).toHaveLength(1)
  })

  it('goes by a chain of two others where the only one with a skill gives up, to a payout of all of them', async () => {
    const port = (name: string, type: string) => ({ name, type, description: '', optional: false })
    const offer = (id: string, from: string, to: string) => ({
      id,
      inputs: [port('in', from)],
      outputs: [port('out', to)],
      price: '100000',
    })
    await hire('quick-hummer', offer('text.hum', 'query.text', 'text.hum'), () => {
      throw new Error('I have lost my voice.')
    })
    await hire('note-maker', offer('notes.make', 'query.text', 'notes.plain'), ({ input }) => `notes of ${input.text}`)
    await hire('note-hummer', offer('notes.hum', 'notes.plain', 'text.hum'), ({ input }) => `hmm: ${input.text}`)
    const client = await world.person()
    const goal = await world.postFundedGoal(client, { text: 'Hum this text: "the report is late"' })
    await reach(goal, 'review')
    expect(await texts(goal)).toContain('the same result by other steps: notes.make (step 1), then notes.hum (step 2)')
    await client.send({ type: 'task.accept', goal_id: goal.id })
    await reach(goal, 'paid')
    const paid = (await listPayouts(world.system, { goalId: goal.id })).filter((one) => one.state === 'paid')
    expect(paid.map((one) => one.amount).toSorted()).toEqual([1_000_000n, 100_000n, 100_000n].toSorted())
  })

  it('has what no one here can do brought in by a gateway, hires it, and pays its operator', async () => {
    const fixture = await openGatewayFixture()
    const gateway = await openMarketGateway(world, owner, 'near-gateway', [fixture.origin], (error) => errors.push(error))
    const silent = createServer(() => undefined)
    await new Promise<void>((ready) => silent.listen(0, '127.0.0.1', ready))
    try {
      const operator = await world.person({ usdc: 0n })
      const [skill] = [{ ...shoutSkill, id: 'text.yell', name: 'Yell a text', price: '150000' }]
      const made = await fixture.make(shout, { name: 'Yeller', operator: operator.did as `did:pkh:eip155:1:0x`, skills: [skill] })
      const admitted = await gateway.serving.gateway.register(made.card, gateway.serving.gateway.issueTicket(made.card.resource))
      expect(admitted).not.toHaveProperty('fault')
      const signer = await signerFromSeed(seeds.get('principal') ?? '')
      const mute = { did: (await signerFromSeed(randomSeed())).did, at: `http://127.0.0.1:${(silent.address() as AddressInfo).port}` }
      const gateways = [mute, { did: gateway.serving.gateway.did, at: gateway.serving.address }]
      elsewhere = createGatewayOfferSource(
        createResourceFinder({
          ...{ signer, gateways, local: () => [], now: Date.now, bounds: { ms: 8_000, bytes: 262_144 } },
          policy: { allowed: new Set(gateways.map((one) => one.at)) },
        }),
      )
      const client = await world.person()
      const goal = await world.postFundedGoal(client, { text: 'Yell this text: "the report is late"' })
      await reach(goal, 'review')
      expect(await texts(goal)).toContain('Yell a text: proxy-')
      expect(await texts(goal)).toContain('(a resource elsewhere, tested by near-gateway)')
      await client.send({ type: 'task.accept', goal_id: goal.id })
      await reach(goal, 'paid')
      const paid = await listPayouts(world.system, { goalId: goal.id })
      expect(paid.find((one) => one.amount === 150_000n)).toMatchObject({ state: 'paid', payee: operator.account.address.toLowerCase() })
      const [step] = await listSteps(world.system, goal.id)
      expect((await getListing(world.system, step?.agentId ?? '')).proxy).toMatchObject({
        resource: made.card.resource,
        gateway: { handle: 'near-gateway' },
      })
      expect(errors).toEqual([])
      if (process.env.RECORD === 'yes') {
        const roomMessages = await room(goal)
        const names = new Map([...sessions].map(([name, session]) => [session.did, builtinHandle(name)]))
        const proxy = await getListing(world.system, step?.agentId ?? '')
        const nameOf = (did: string) => names.get(did) ?? (did === proxy.did ? proxy.handle : did === client.did ? 'client' : 'server')
        await writeRun({
          ...{ text: goal.text, proxy, asked: ['one that is silent', 'near-gateway'], messages: roomMessages, payouts: paid, nameOf },
          name: 'gateway',
        })
      }
    } finally {
      elsewhere = null
      silent.closeAllConnections()
      silent.close()
      await gateway.close()
      await fixture.close()
    }
  })

  it.each([['propose'], ['async_task_assignment'], ['task_result']])(
    'continues where it stood when the principal is killed after %s',
    async (act) => {
      const client = await world.person()
      const goal = await world.postFundedGoal(client, { text: guide })
      await messagesBy(goal, act)
      sessions.get('principal')?.close()
      await start('principal')
      await reach(goal, 'review')
      const roomMessages = await room(goal)
      expect(roomMessages.filter((one) => one.type === 'propose')).toHaveLength(1)
      expect(roomMessages.filter((one) => /_assignment$/.test(one.type))).toHaveLength(6)
      expect(roomMessages.filter((one) => one.type === 'conclusion')).toHaveLength(1)
    },
  )
})
