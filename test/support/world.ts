import { randomBytes } from 'node:crypto'
import {
  type Command,
  type CommandType,
  cardPlan,
  charterAuthorizationTypedData,
  type ListingDraft,
  type MessageLimits,
  type PlannerMode,
  type PostGoal,
  personDid,
  randomSeed,
  uuidv7,
} from '@parley/protocol'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import type { Clock } from '../../server/clock.ts'
import { dispatchCommand } from '../../server/commands/index.ts'
import { composeServices, type Services } from '../../server/compose.ts'
import type { Actor, Context } from '../../server/context.ts'
import { readEnvironment } from '../../server/env.ts'
import { type Goal, getGoal, issueQuote } from '../../server/goals/index.ts'
import { type Hub, startHub } from '../../server/hub/index.ts'
import { type Jobs, startJobs } from '../../server/jobs/index.ts'
import { getCharterApproval, getFundingTerms, getHold } from '../../server/settlement/index.ts'
import { findTeam } from '../../server/teams/index.ts'
import { joinTrace } from '../../server/telemetry/index.ts'
import { startChain, type TestChain } from './chain.ts'
import { createDatabase, type TestDatabase } from './database.ts'
import { mintTestMoney } from './test-money.ts'

/** A clock that tests move. Time passes as usual, from wherever it was moved to. */
export type MovingClock = Clock & { advance(ms: number): void }

function movingClock(): MovingClock {
  let offsetMs = 0
  return {
    now: () => new Date(Date.now() + offsetMs),
    advance(ms) {
      offsetMs += ms
    },
  }
}

/** A person with a wallet, signed in. `send` is what the web's mutations do: one command through the command bus. */
export type TestPerson = {
  readonly account: PrivateKeyAccount
  readonly did: string
  readonly ctx: Context
  send<T = Record<string, unknown>>(command: { type: CommandType; [field: string]: unknown }): Promise<T>
}

export type TestWorld = AsyncDisposable & {
  readonly world: Services
  readonly database: TestDatabase
  readonly chain: TestChain
  readonly clock: MovingClock
  readonly hubUrl: string
  readonly env: Record<string, string>
  system: Context
  /** A person with fresh keys and, by default 1,000 test USDC. `isHouse`: who publishes the built-in agents. `traceparent`: the trace of all that it asks for. */
  person(options?: { usdc?: bigint; isOperator?: boolean; isHouse?: boolean; traceparent?: string }): Promise<TestPerson>
  /** Publishes a listing for a person and gives its token. */
  publish(
    owner: TestPerson,
    listing: Partial<ListingDraft> & Pick<ListingDraft, 'handle' | 'skills'>,
  ): Promise<{ agent_id: string; did: string; token: string }>
  /** Posts and funds a goal, and waits until it is open. */
  postFundedGoal(
    client: TestPerson,
    goal: {
      text: string
      criteria?: string[]
      budget?: string
      attachments?: unknown[]
      deadlineMs?: number
      reviewHours?: number
      visibility?: 'public' | 'private'
      planner?: PlannerMode
      planners?: readonly string[]
      attachmentReaders?: 'team' | 'everyone'
      messageLimits?: MessageLimits
      follows?: string
      vetoHours?: number
      /** Whether the client approves each team by a session key as soon as all have signed. Unset: it does. */
      approves?: boolean
      /** Posts it with a quote, and sets aside what the plan costs unless a budget is given. */
      isQuoted?: boolean
      /** Runs when the goal is posted and its funding is not yet signed. */
      beforeFunding?: () => Promise<void>
      /** Other fields of the brief, as they are sent. */
      more?: { readonly [field: string]: unknown }
    },
  ): Promise<Goal>
  /** From now on the client approves each team of the goal as soon as all have signed. */
  approveTeams(goalId: string, client: TestPerson): void
  goal(goalId: string): Promise<Goal>
  /** Waits until `probe` gives something; bounded, and woken by nothing but time. */
  until<T>(what: string, probe: () => Promise<T | null | undefined | false>, timeoutMs?: number): Promise<T>
  /** Ends jobs and hub as a crash would, and starts them again on the same database. */
  restartHub(): Promise<void>
}

/** Files as a quote reads them. */
const headsOf = (attachments: PostGoal['attachments']) =>
  attachments.map(({ name, media_type, artifact_type, content }) => ({
    ...{ name, media_type, artifact_type, is_whole: true, head: Buffer.from(content, 'base64').toString('utf8') },
  }))

type Approval = { readonly goalId: string; readonly client: TestPerson; readonly session: PrivateKeyAccount }

/** Those whose newest charter has neither an approval nor a veto. One query, because it runs 20 times a second for all goals so far. */
async function listPendingApprovals(system: Context, approvals: ReadonlySet<Approval>): Promise<Approval[]> {
  if (approvals.size === 0) return []
  const goalIds = [...approvals].map(({ goalId }) => goalId)
  const open = await system.db.$queryRaw<{ goalId: string }[]>`
    select "goalId" from (
      select distinct on ("goalId") "goalId", "version" from hold_charter where "goalId" = any (${goalIds}) order by "goalId", "version" desc
    ) newest
    where not exists (select from charter_authorization a where a."goalId" = newest."goalId" and a."version" = newest."version")
      and not exists (select from charter_veto v where v."goalId" = newest."goalId" and v."version" = newest."version")`
  const ids = new Set(open.map(({ goalId }) => goalId))
  return [...approvals].filter(({ goalId }) => ids.has(goalId))
}

/** What a client's page does where its owner ticked it: approves the newest charter that all have signed, once. */
async function approveNewest(system: Context, { goalId, client, session }: Approval): Promise<void> {
  const approval = await getCharterApproval(system, goalId)
  const team = approval.state === 'open' ? await findTeam(system, goalId) : null
  if (team?.version !== approval.version) return
  const { rail, chainId, escrow, planId } = await getHold(system, goalId)
  const plan = rail === 'escrow' ? { chain_id: chainId, escrow, plan_id: planId } : cardPlan(goalId, system.market.chainId)
  const signature = await session.signTypedData(charterAuthorizationTypedData(team.charter, team.charterHash as `0x${string}`, plan))
  await client.send({ type: 'team.authorize', goal_id: goalId, version: team.version, signature })
}

/** The whole server in this process: its own database and chain, a real hub on a free port, real jobs. No web, no built-in agents. */
export async function createWorld(
  options: { hub?: boolean; jobs?: boolean; chain?: TestChain; database?: TestDatabase; env?: Record<string, string> } = {},
): Promise<TestWorld> {
  const [database, chain] = await Promise.all([options.database ?? createDatabase(), options.chain ?? startChain()])
  const clock = movingClock()
  const port = { hub: 0 }
  const house = generatePrivateKey()
  const [settler = '0x', evaluator = '0x', , arbitrator = '0x'] = chain.keys
  const env = {
    DATABASE_URL: database.url,
    CHAIN_RPC_URL: chain.rpcUrl,
    CHAIN_ID: String(chain.chainId),
    ESCROW_ADDRESS: chain.escrow,
    TOKEN_ADDRESS: chain.token,
    CHANNELS_ADDRESS: chain.channels,
    SETTLER_PRIVATE_KEY: settler,
    EVALUATOR_PRIVATE_KEY: evaluator,
    ARBITRATOR_PRIVATE_KEY: arbitrator,
    SERVER_SIGNING_KEY: randomSeed(),
    PUBLIC_URL: 'http://localhost:3000',
    // Tests list many agents of one person.
    MAX_LISTINGS_PER_WALLET: '1000',
    BUILTIN_PUBLISHER_WALLET: privateKeyToAccount(house).address,
    LOG_LEVEL: 'error',
    ...options.env,
  }
  const world = await composeServices('hub', readEnvironment(env), { clock })
  const system = world.contextFor({ kind: 'system', name: 'jobs' })
  let hub: Hub | null = null
  let jobs: Jobs | null = null
  async function start(): Promise<void> {
    if (options.jobs !== false) jobs = await startJobs(system, database.url)
    if (options.hub !== false)
      hub = await startHub(world.contextFor({ kind: 'anonymous' }), world.listener, { host: '127.0.0.1', port: port.hub })
    port.hub = hub?.port ?? 0
  }
  async function stop(): Promise<void> {
    await hub?.close()
    await jobs?.close()
    hub = null
    jobs = null
  }
  await start()

  async function person({
    usdc = 1_000_000_000n,
    isOperator = false,
    isHouse = false,
    traceparent,
  }: {
    usdc?: bigint
    isOperator?: boolean
    isHouse?: boolean
    traceparent?: string
  } = {}): Promise<TestPerson> {
    const account = privateKeyToAccount(isHouse ? house : generatePrivateKey())
    const address = account.address.toLowerCase() as `0x${string}`
    const did = personDid(chain.chainId, address)
    const actor: Actor = { kind: 'person', did, address, isOperator }
    if (usdc > 0n) await mintTestMoney(chain, address, usdc)
    const ctx = joinTrace(world.contextFor(actor), traceparent)
    return {
      account,
      did,
      ctx,
      send: async <T>(command: { type: CommandType }) => (await dispatchCommand(ctx, command as unknown as Command)) as T,
    }
  }

  async function until<T>(what: string, probe: () => Promise<T | null | undefined | false>, timeoutMs = 480_000): Promise<T> {
    const start = Date.now()
    for (;;) {
      const found = await probe()
      if (found) return found
      const waited = Date.now() - start
      if (waited > timeoutMs) throw new Error(`waited ${timeoutMs} ms for ${what}`)
      // What takes longer is asked for less often: a world that waits is to leave the machine to those that work.
      await new Promise((resolve) => {
        setTimeout(resolve, Math.min(40 + waited / 10, 250))
      })
    }
  }

  const goal = (goalId: string) => getGoal(system, goalId)

  const approvals = new Set<Approval>()
  let isOver = false
  const approving = (async () => {
    while (!isOver) {
      for (const one of await listPendingApprovals(system, approvals).catch(() => []))
        await approveNewest(system, one).catch(() => undefined)
      await new Promise((resolve) => {
        setTimeout(resolve, 50)
      })
    }
  })()

  return {
    world,
    database,
    chain,
    clock,
    env,
    system,
    person,
    until,
    goal,
    get hubUrl() {
      return `http://127.0.0.1:${port.hub}`
    },
    async publish(owner, listing) {
      const draft = {
        name: listing.handle,
        summary: `The agent ${listing.handle}.`,
        payout: owner.account.address.toLowerCase(),
        ...listing,
      }
      return owner.send({ type: 'listing.publish', listing: draft })
    },
    approveTeams: (goalId, client) => void approvals.add({ goalId, client, session: client.account }),
    async postFundedGoal(client, input) {
      const { isQuoted = false } = input
      const approves = input.approves ?? !isQuoted
      const attachments = (input.attachments ?? []) as PostGoal['attachments']
      const quote = isQuoted
        ? await issueQuote(client.ctx, { text: input.text, criteria: input.criteria ?? [], files: headsOf(attachments) })
        : undefined
      const session = privateKeyToAccount(generatePrivateKey())
      const deadline = new Date(clock.now().getTime() + (input.deadlineMs ?? 3_600_000)).toISOString()
      const brief = {
        text: input.text,
        criteria: (input.criteria ?? ['The result is delivered.']).map((text) => ({ text })),
        budget: input.budget ?? quote?.min_budget ?? '10000000',
        deadline,
        review_hours: input.reviewHours ?? 1,
        visibility: input.visibility ?? 'public',
        planner: input.planner ?? 'deterministic',
        ...(input.planners && { planners: input.planners }),
        ...(input.attachmentReaders && { attachment_readers: input.attachmentReaders }),
        ...(input.messageLimits && { message_limits: input.messageLimits }),
        ...(input.follows !== undefined && { follows: input.follows }),
        ...(approves && { authorizer: session.address.toLowerCase() }),
        veto_hours: input.vetoHours ?? 24,
        ...input.more,
      }
      const posted = await client.send<{ goal_id: string }>({
        type: 'goal.post',
        id: uuidv7(Date.now(), randomBytes(10)),
        goal: brief,
        attachments,
        ...(quote && { quote }),
      })
      await input.beforeFunding?.()
      const funding = await getFundingTerms(client.ctx, posted.goal_id)
      const signature = await client.account.signTypedData(funding.typedData as Parameters<PrivateKeyAccount['signTypedData']>[0])
      await client.send({ type: 'hold.authorize', goal_id: posted.goal_id, signature })
      await until('the goal to open', async () => (await goal(posted.goal_id)).state === 'open')
      if (approves) approvals.add({ goalId: posted.goal_id, client, session })
      return goal(posted.goal_id)
    },
    async restartHub() {
      await stop()
      await start()
    },
    async [Symbol.asyncDispose]() {
      isOver = true
      await approving
      await stop()
      await world.close()
      await chain[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}
