import { type Charter, charterHash, type EnvelopeDraft, randomSeed, signEnvelope, signerFromSeed, uuidv7 } from '@parley/protocol'
import { paySession } from '../../server/embedded/stripe-fake/checkout-session.ts'
import type { StripeFake } from '../../server/embedded/stripe-fake/start-stripe-fake.ts'
import type { Goal } from '../../server/goals/index.ts'
import { scheduleSealNow } from '../../server/settlement/holds/schedule-sealing.ts'
import {
  getDisputeTypedData,
  getFundingTerms,
  getHold,
  getSettlementOfferTypedData,
  listStepsPayableByDefault,
} from '../../server/settlement/index.ts'
import { listTasks } from '../../server/tasks/index.ts'
import { getTeam } from '../../server/teams/index.ts'
import { newTaskId, publishTestAgent, type TestAgent } from '../support/goal-fixture.ts'
import { submitOnChain } from '../support/submit-on-chain.ts'
import type { TestPerson, TestWorld } from '../support/world.ts'
import { openShowcaseChannel, type ShowcaseChannel } from './showcase-channel.ts'
import { brief, clientNotes, contents, fileNames, followUpBrief, hiredSteps, names, plan, type Role } from './showcase-plan.ts'
import { confirmDraft, draftCharter, hireTeam, stayAtWork } from './showcase-teams.ts'

/** What a market's pages show: one client's goals in every state, each brought there by real commands. */
export type Showcase = {
  readonly client: TestPerson
  readonly publisher: TestPerson
  /** Plans all of them. */
  readonly lead: TestAgent
  /** Of the client's channel to the trend reader. */
  readonly channel: ShowcaseChannel
  readonly goals: Readonly<Record<ShowcaseGoal, string>>
  /** Of the team that the trend reader has hired. */
  readonly room: string
  /** Keeps the agents at work: after a minute without a sign of life their tasks would be others'. */
  keepWorking(): Promise<void>
}
const early = ['funding', 'card', 'open', 'asking', 'drafting', 'confirming', 'agreeing', 'working', 'nested', 'failing'] as const
const late = ['review', 'submitted', 'disputed', 'paid', 'cardPaid', 'refunded', 'canceled', 'followUp'] as const
export const showcaseGoals = [...early, ...late] as const
export type ShowcaseGoal = (typeof showcaseGoals)[number]

/** `cards`: the stand-in for Stripe that this world pays with. */
export async function createShowcase(world: TestWorld, cards: StripeFake): Promise<Showcase> {
  const client = await world.person()
  const publisher = await world.person({ usdc: 0n })
  const lead = await publishTestAgent(world, publisher, 'harbour-planner', 'goal.plan', ['plan'], {
    name: 'Harbour planner',
    summary: 'Plans goals, forms the team, and brings the results together.',
  })
  const agents = {} as Record<Role, TestAgent>
  for (const { agent, title, skill, makes, needs, price } of plan) {
    const inputs = needs.map((step) => plan[step - 1]?.makes ?? '')
    const more = { inputs, price, name: names[agent], summary: `${title}, from public sources.` }
    agents[agent] = await publishTestAgent(world, publisher, names[agent].toLowerCase().replace(' ', '-'), skill, [makes], more)
  }
  const helpers = await publishHelpers(world, publisher)
  const setup: ShowcaseSetup = {
    world,
    cards,
    client,
    publisher,
    lead,
    agents,
    helpers,
    goals: {} as Record<ShowcaseGoal, string>,
    room: '',
  }
  for (const goalName of showcaseGoals) setup.goals[goalName] = await createShowcaseGoal(setup, goalName)
  const { goals, room } = setup
  await rememberClient(setup)
  const channel = await openShowcaseChannel({ world, client, publisher, agent: agents.trend })
  const keepWorking = async () => {
    const goal = await world.goal(goals.working)
    const task = (await listTasks(world.system, goal.id)).find((one) => one.step === 3 && one.state === 'working')
    if (task) await agents.trend.send({ type: 'task.progress', task_id: task.id, done: 60 })
    else await linger(setup, goal, 'working')
    await stayAtWork(world, goals.nested, [agents.trend, ...helpers])
  }
  return { client, publisher, lead, channel, goals, room, keepWorking }
}

type ShowcaseSetup = {
  readonly world: TestWorld
  readonly cards: StripeFake
  readonly client: TestPerson
  readonly publisher: TestPerson
  readonly lead: TestAgent
  readonly agents: Record<Role, TestAgent>
  readonly helpers: readonly TestAgent[]
  readonly goals: Record<ShowcaseGoal, string>
  room: string
}

/** Whom the trend reader hires. */
function publishHelpers(world: TestWorld, publisher: TestPerson): Promise<TestAgent[]> {
  const more = { price: 150_000n, summary: 'A small part of an analysis, checked.' }
  return Promise.all(
    [
      ['outlier-hunter', 'Outlier hunter', hiredSteps[0].skillId] as const,
      ['sum-checker', 'Sum checker', hiredSteps[1].skillId] as const,
    ].map(([handle, name, skillId]) => publishTestAgent(world, publisher, handle, skillId, undefined, { ...more, name })),
  )
}

/** Two agents keep notes about the client, one of them a long one. */
async function rememberClient({ client: { did: about }, agents }: ShowcaseSetup): Promise<void> {
  for (const [agent, key, note] of clientNotes) await agents[agent].send({ type: 'memory.write', key, note, about, days: 90 })
}

async function createShowcaseGoal(setup: ShowcaseSetup, name: ShowcaseGoal): Promise<string> {
  const { world, client, lead } = setup
  if (name === 'card') return post(setup, 'stripe')
  if (name === 'funding' || name === 'canceled') {
    const id = await post(setup)
    if (name === 'canceled') await client.send({ type: 'goal.cancel', goal_id: id, reason: 'I have found it in the library.' })
    return id
  }
  if (name === 'followUp') return post(setup, 'escrow', { follows: setup.goals.paid, ...followUpBrief })
  const isAsked = name === 'drafting' || name === 'confirming'
  const planner = isAsked ? 'copilot' : 'deterministic'
  const goal =
    name === 'cardPaid'
      ? await postByCard(setup)
      : await world.postFundedGoal(client, { ...brief, budget: '5000000', deadlineMs: 5 * 3_600_000, reviewHours: 72, planner })
  if (name === 'open') return goal.id
  if (name === 'asking') return ask(setup, goal)
  await lead.send({ type: 'goal.claim', goal_id: goal.id })
  const claimed = await world.goal(goal.id)
  if (isAsked) {
    await draftCharter(lead, claimed, charterOf(setup, claimed))
    if (name === 'confirming') await confirmDraft(client, claimed, charterOf(setup, claimed))
    return goal.id
  }
  const sealed = await agree(setup, claimed, name === 'agreeing' ? 3 : plan.length)
  if (!sealed) return goal.id
  const isDelivered = name === 'review' || name === 'disputed' || name === 'paid' || name === 'cardPaid'
  // Where nothing was completed, a failure sends all of it back at once.
  const end = isDelivered ? plan.length : name === 'refunded' || name === 'submitted' ? 0 : 2
  for (const step of plan.slice(0, end)) await work(setup, claimed, plan.indexOf(step) + 1)
  if (name === 'nested') {
    const hires = hiredSteps.map((one, index) => ({ ...one, agent: setup.helpers[index] ?? setup.agents.reader }))
    setup.room = await hireTeam({ world, lead, goal: claimed }, { step: 3, hirer: setup.agents.trend, hires })
  }
  if (name === 'working' || name === 'failing') await linger(setup, claimed, name)
  if (name === 'refunded') await conclude(setup, claimed, 'failed', 'The bridge was not counted before 2019, so the criteria can’t be met.')
  if (name === 'submitted') await submitWithoutWork(setup, claimed)
  if (isDelivered) await conclude(setup, claimed, 'delivered', 'Crossings grew by 6.3 % a year; 2023 is the strongest year.')
  if (name === 'disputed') await dispute(setup, claimed)
  const isPaid = name === 'paid' || name === 'cardPaid'
  if (isPaid) await client.send({ type: 'task.accept', goal_id: goal.id })
  if (isPaid || name === 'refunded')
    await world.until(name, async () => (await world.goal(goal.id)).state === (isPaid ? 'paid' : 'refunded'))
  return goal.id
}

async function post({ client, world }: ShowcaseSetup, rail: 'escrow' | 'stripe' = 'escrow', more: object = {}): Promise<string> {
  const deadline = new Date(world.clock.now().getTime() + 5 * 3_600_000).toISOString()
  const goal = {
    ...brief,
    criteria: brief.criteria.map((text) => ({ text })),
    budget: '5000000',
    deadline,
    review_hours: 72,
    visibility: 'public',
    ...(rail === 'stripe' ? { rail } : {}),
    ...more,
  }
  const id = uuidv7(Date.now(), crypto.getRandomValues(new Uint8Array(10)))
  const { goal_id } = await client.send<{ goal_id: string }>({ type: 'goal.post', id, goal, attachments: [] })
  if (rail === 'escrow') await getFundingTerms(client.ctx, goal_id)
  return goal_id
}

async function postByCard(setup: ShowcaseSetup): Promise<Goal> {
  const { world, cards, client } = setup
  const goal_id = await post(setup, 'stripe')
  const { url } = await client.send<{ url: string }>({ type: 'hold.checkout', goal_id })
  paySession(cards.context, url.split('/').at(-1) ?? '', 'paid')
  await world.until('the goal to open', async () => (await world.goal(goal_id)).state === 'open')
  world.approveTeams(goal_id, client)
  return world.goal(goal_id)
}

/** The payee of the first step submits it to the escrow, and the team gives up. */
async function submitWithoutWork(setup: ShowcaseSetup, goal: Goal): Promise<void> {
  const { world, publisher } = setup
  const { db } = world.system
  const { planId } = await getHold(world.system, goal.id)
  await scheduleSealNow(world.system, goal.id)
  await world.until('the charter on chain', async () => (await db.chainLog.count({ where: { planId, name: 'PlanSealed' } })) > 0)
  await submitOnChain(world, publisher, { goalId: goal.id, bits: 0b1n })
  await world.until('the submission', () => listStepsPayableByDefault(world.system, goal.id))
  await conclude(setup, goal, 'failed', 'The figures of the bridge are not public.')
  await world.until('the settlement', async () => (await world.goal(goal.id)).state === 'settling')
}

/** The client puts one step forward for a ruling, and proposes to split another. */
async function dispute({ world, client }: ShowcaseSetup, goal: Goal): Promise<void> {
  const given = { goal_id: goal.id as `gol_${string}`, step: 4, evidence: 'The report ends in the middle of a sentence.', artifacts: [] }
  const { typedData } = await getDisputeTypedData(client.ctx, given)
  const signature = await client.account.signTypedData(typedData as Parameters<typeof client.account.signTypedData>[0])
  await client.send({ type: 'dispute.open', ...given, signature })
  await world.until('the dispute', () => world.system.db.dispute.findFirst({ where: { goalId: goal.id, state: 'open' } }))
  const offered = { goal_id: given.goal_id, step: 3, payee_bps: 7_000, deadline: Math.floor(world.clock.now().getTime() / 1_000) + 86_400 }
  const terms = await getSettlementOfferTypedData(client.ctx, offered)
  const signed = await client.account.signTypedData(terms.typedData as Parameters<typeof client.account.signTypedData>[0])
  await client.send({ type: 'settlement_offer.make', ...offered, signature: signed })
}

/** The planner has a key of its own here: only a signed envelope can say that it expects a reply. */
async function ask({ world, client, lead }: ShowcaseSetup, goal: Goal): Promise<string> {
  const signer = await signerFromSeed(randomSeed())
  const keyed = world.world.contextFor({ ...lead.ctx.actor, did: signer.did, hasKey: true } as never)
  const { dispatchCommand } = await import('../../server/commands/index.ts')
  await dispatchCommand(keyed, { type: 'goal.claim', goal_id: goal.id })
  const draft = {
    id: uuidv7(Date.now(), crypto.getRandomValues(new Uint8Array(10))),
    room_id: goal.roomId,
    sender_id: signer.did,
    state: 'discussion',
    type: 'discussion',
    to: [client.did],
    next_speakers: [client.did],
    expects: 'reply',
    parts: [{ text: 'Which bridge do you mean: the old one in the harbour, or the one that opened beside it in 2018?' }],
  }
  await dispatchCommand(keyed, {
    type: 'message.post',
    room_id: goal.roomId,
    envelope: await signEnvelope(signer, draft as unknown as EnvelopeDraft),
  })
  return goal.id
}

function charterOf({ world, client, lead, agents }: ShowcaseSetup, goal: Goal): Charter {
  return {
    v: '1' as const,
    goal_id: goal.id as never,
    room_id: goal.roomId as never,
    version: 1,
    client_id: client.did as never,
    principal_id: lead.did as never,
    evaluator_id: world.world.market.evaluator,
    asset: goal.asset,
    total: goal.budget.toString(),
    fee_bps: world.world.market.feeBps,
    on_review_timeout: 'pay_if_delivered' as const,
    steps: plan.map(({ agent, title, skill, makes, needs, price }, index) => ({
      step: index + 1,
      title,
      skill_id: skill,
      agent_id: agents[agent].agentId as never,
      sender_id: agents[agent].did as never,
      payee: agents[agent].payee,
      amount: price.toString(),
      mode: index === 1 || index === 2 ? ('async' as const) : ('sync' as const),
      depends_on: [...needs],
      inputs: needs.map((step, port) => ({ port: `in_${port}`, type: plan[step - 1]?.makes ?? '', step })),
      outputs: [makes],
    })),
  }
}

/** Proposes the charter, and lets the first `signatures` members sign it; all of them: seals it and waits for the chain. */
async function agree(setup: ShowcaseSetup, goal: Goal, signatures: number): Promise<boolean> {
  const { world, lead, agents } = setup
  const charter = charterOf(setup, goal)
  await lead.send({ type: 'team.propose', goal_id: goal.id, charter })
  const charter_hash = await charterHash(charter)
  for (const { agent } of plan.slice(0, signatures)) await agents[agent].send({ type: 'team.accept', goal_id: goal.id, charter_hash })
  if (signatures < plan.length) return false
  await lead.send({ type: 'team.seal', goal_id: goal.id })
  await world.until('the charter on chain', async () => (await getTeam(world.system, goal.id)).recordedAt)
  return true
}

async function work({ lead, agents }: ShowcaseSetup, goal: Goal, step: number): Promise<void> {
  const { agent, makes } = plan[step - 1] ?? plan[0]
  const task_id = newTaskId()
  await lead.send({ type: 'task.assign', goal_id: goal.id, task_id, step })
  const [name, media_type] = fileNames[makes] ?? ['file.txt', 'text/plain']
  const artifact = { name, media_type, artifact_type: makes, content: Buffer.from(contents[makes] ?? '').toString('base64') }
  await agents[agent].send({ type: 'task.complete', task_id, text: `${name} is ready.`, artifacts: [artifact] })
}

/** The third step in the middle: half done, or given up. */
async function linger({ lead, agents }: ShowcaseSetup, goal: Goal, name: 'working' | 'failing'): Promise<void> {
  const task_id = newTaskId()
  await lead.send({ type: 'task.assign', goal_id: goal.id, task_id, step: 3 })
  if (name === 'working') await agents.trend.send({ type: 'task.progress', task_id, done: 60, text: 'Seven of ten years are fitted.' })
  else await agents.trend.send({ type: 'task.fail', task_id, reason: 'The table has two figures for 2021 that differ.' })
}

async function conclude({ lead }: ShowcaseSetup, goal: Goal, outcome: 'delivered' | 'failed', text: string): Promise<void> {
  await lead.send({ type: 'goal.conclude', goal_id: goal.id, outcome, parts: [{ text }] })
}
