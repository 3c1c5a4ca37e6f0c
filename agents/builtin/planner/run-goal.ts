/** The loop around the decisions: reads the room in order, does the next actions, and waits. `decideNextAction` makes all decisions. */
import { type AgentSession, ProblemError } from '@parley/agents'
import type { DeliveredEnvelope, GoalOffer, Part } from '@parley/protocol'
import { loadAgentsRefusedByClient, saveAgentsRefusedByClient } from './agents-refused-by-client.ts'
import { bundleType, type PlannerIdentity } from './charter/build-charter.ts'
import { addListing, createGatewayResourceSearch } from './create-gateway-resource-search.ts'
import { decideNextAction } from './decisions/decide-next-action.ts'
import type { DecisionContext } from './decisions/decision-context.ts'
import type { Action } from './decisions/planner-decision.ts'
import { emptyPlannerKnowledge, type PlannerKnowledge, recordMarket, recordSearch } from './decisions/planner-knowledge.ts'
import { toPlanningInput } from './decisions/to-planning-input.ts'
import { planSkillId, stepRoyaltiesOf } from './plan/skill-offers.ts'
import { applyMessageToPlannerRoom } from './room/apply-message-to-planner-room.ts'
import { emptyRoomState, type Parties, type PlannerRoomState, partiesOf } from './room/planner-room-state.ts'
import { type OfferSource, withoutGoalText } from './sourcing/offer-source.ts'
import type { PlanningResult, PlanningStrategy } from './strategies/strategy.ts'

/** Decimals of the settlement asset, for sentences only: USDC has six. */
const decimals = 6
/** An action without effect in the room after this time is done again. */
const echoTimeoutMs = 30_000
const minWaitMs = 50
const maxRetryDelayMs = 15_000
/** Refusals of one kind of action after which the goal fails, unless the server asks to retry later. */
const maxRefusals = 3

export type RunLoopOptions = {
  readonly session: AgentSession
  readonly offer: GoalOffer
  readonly planner: PlanningStrategy
  readonly source: OfferSource
  /** The room's last sequence number at the last connect. Nothing is decided before the room is read up to it. */
  readonly headOf: (room_id: string) => number
  readonly signal: AbortSignal
}

/** Refusals that say that the goal has ended or belongs to another planner. */
const endedCodes = new Set([
  'goal.not_found',
  'goal.wrong_state',
  'goal.not_principal',
  'goal.already_claimed',
  'room.concluded',
  'room.not_member',
  'room.not_found',
])

type State = {
  readonly options: RunLoopOptions
  /** For a private goal, the source sends no text of the goal to others. */
  readonly source: OfferSource
  readonly parties: Parties
  /** Messages beyond a gap, by sequence number. */
  readonly early: Map<number, DeliveredEnvelope>
  /** When each action was started, by its key, in local milliseconds. */
  readonly startedAt: Map<string, number>
  /** Consecutive refusals by kind of action. */
  readonly refusals: Map<Action['do'], number>
  room: PlannerRoomState
  knowledge: PlannerKnowledge
  /** Resolves when the loop should decide again. */
  wakeUp: PromiseWithResolvers<void>
  /** Estimate of the server's clock minus this one, milliseconds: the maximum over all messages, because delivery only reduces it. */
  clockOffsetMs: number
}

/** Resolves when the goal is settled, claimed by another planner, or the signal aborts. */
export async function runGoal(options: RunLoopOptions): Promise<void> {
  const state = createState(options)
  const { session, signal } = options
  const wake = () => state.wakeUp.resolve()
  const removers = [session.on('message', ({ envelope }) => receiveLive(state, envelope)), session.on('online', wake)]
  signal.addEventListener('abort', wake)
  try {
    await runUntilClosed(state)
  } catch (error) {
    if (!(error instanceof ProblemError && endedCodes.has(error.code))) throw error
  } finally {
    signal.removeEventListener('abort', wake)
    for (const remove of removers) remove()
  }
}

function createState(options: RunLoopOptions): State {
  const { offer, session } = options
  const source = offer.visibility === 'public' ? options.source : withoutGoalText(options.source)
  return {
    options,
    source,
    parties: partiesOf(offer, session.did, session.server),
    early: new Map(),
    startedAt: new Map(),
    refusals: new Map(),
    room: emptyRoomState,
    knowledge: { ...emptyPlannerKnowledge, searches: source.fillGap ? new Map() : null },
    wakeUp: Promise.withResolvers<void>(),
    clockOffsetMs: Number.NEGATIVE_INFINITY,
  }
}

/** The server's time, Unix milliseconds. */
const serverNow = ({ clockOffsetMs }: State) => Date.now() + (Number.isFinite(clockOffsetMs) ? clockOffsetMs : 0)

function receiveLive(state: State, envelope: DeliveredEnvelope): void {
  if (envelope.room_id !== state.options.offer.room_id) return
  state.clockOffsetMs = Math.max(state.clockOffsetMs, Date.parse(envelope.received_at) - Date.now())
  receive(state, envelope)
}

function receive(state: State, envelope: DeliveredEnvelope): void {
  const { early } = state
  if (envelope.seq > state.room.head) early.set(envelope.seq, envelope)
  for (let next = early.get(state.room.head + 1); next; next = early.get(state.room.head + 1)) {
    early.delete(next.seq)
    state.room = applyMessageToPlannerRoom(state.room, next, state.parties)
  }
  state.wakeUp.resolve()
}

async function runUntilClosed(state: State): Promise<void> {
  const { session, offer, headOf, signal } = state.options
  const self = await loadIdentity(session)
  const avoided = await loadAgentsRefusedByClient(session, offer.client_id)
  // Replayed messages are delivered ones.
  await session.replay(offer.room_id, 0, (envelope) => receive(state, envelope as DeliveredEnvelope))
  while (!signal.aborted && !state.room.closed) {
    state.wakeUp = Promise.withResolvers<void>()
    if (state.room.head < headOf(offer.room_id)) {
      await waitForActivity(state, echoTimeoutMs)
      continue
    }
    const { room, knowledge } = state
    await doNext(state, { offer, self, room, knowledge, now: serverNow(state), decimals, avoided })
  }
  if (!state.room.closed) return
  const refused = state.room.refusals.map((one) => one.agent)
  // Preferences are optional: the goal is settled without them, too.
  await saveAgentsRefusedByClient(session, offer.client_id, { before: avoided, refused }).catch(() => undefined)
}

async function doNext(state: State, context: DecisionContext): Promise<void> {
  const decision = decideNextAction(context)
  const actions = decision.actions.filter((action) => Date.now() - (state.startedAt.get(action.key) ?? 0) > echoTimeoutMs)
  if (actions.length === 0) {
    const wait = decision.until === undefined ? echoTimeoutMs : Math.max(minWaitMs, decision.until - serverNow(state))
    await waitForActivity(state, Math.min(wait, echoTimeoutMs))
    return
  }
  for (const action of actions) if (!(await tryAction(state, action, context))) break
}

async function waitForActivity(state: State, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  await Promise.race([state.wakeUp.promise, new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)))])
  clearTimeout(timer)
}

/** False if the server refused. Then market and plan are read again after a delay. */
async function tryAction(state: State, action: Action, context: DecisionContext): Promise<boolean> {
  state.startedAt.set(action.key, Date.now())
  try {
    await doAction(state, action, context)
    state.refusals.delete(action.do)
    return true
  } catch (error) {
    if (!(error instanceof ProblemError) || error.code.startsWith('session.') || endedCodes.has(error.code)) throw error
    state.startedAt.delete(action.key)
    const count = (state.refusals.get(action.do) ?? 0) + 1
    state.refusals.set(action.do, count)
    // The refused action was decided from outdated data.
    state.knowledge = { ...state.knowledge, market: undefined, planned: undefined }
    if (error.retry !== 'later' && count >= maxRefusals && action.do !== 'conclude')
      state.knowledge = { ...state.knowledge, fatalReason: error.message }
    await new Promise((resolve) => setTimeout(resolve, Math.min(500 * 2 ** count, maxRetryDelayMs)))
    return false
  }
}

async function doAction(state: State, action: Action, context: DecisionContext): Promise<void> {
  const { session, offer } = state.options
  const { goal_id, room_id } = offer
  switch (action.do) {
    case 'look':
      state.knowledge = recordMarket(state.knowledge, {
        at: serverNow(state),
        head: context.room.head,
        listings: await state.source.listListings(session),
      })
      return
    case 'seek':
      await state.source.fillGap?.(session, action.need)
      state.knowledge = recordSearch(state.knowledge, action.need, serverNow(state))
      return
    case 'plan': {
      const result = await plan(state, context)
      state.knowledge = { ...state.knowledge, planned: { key: action.question, at: serverNow(state), result } }
      return
    }
    case 'fetch': {
      const { bytes } = await session.getArtifact({ room_id, sha256: action.sha256 })
      const text = new TextDecoder().decode(bytes)
      state.knowledge = { ...state.knowledge, files: new Map([...state.knowledge.files, [action.sha256, text]]) }
      return
    }
    case 'say':
      return post(state, action)
    case 'propose':
      await session.proposeTeam({ goal_id, charter: action.charter })
      return
    case 'submit':
      await session.submitCharter({ goal_id, charter: action.charter, reason: action.reason })
      return
    case 'seal':
      await session.sealTeam({ goal_id, room_id })
      return
    case 'assign':
      return assign(state, action)
    case 'complete':
      return complete(state, action)
    case 'conclude':
      await session.concludeGoal({ goal_id, room_id, outcome: action.outcome, parts: [...action.parts] })
      return
    default:
      return action satisfies never
  }
}

type ActionOf<Kind extends Action['do']> = Extract<Action, { do: Kind }>

async function plan(state: State, context: DecisionContext): Promise<PlanningResult> {
  const { session, planner } = state.options
  const gatewayMarket = createGatewayResourceSearch(state.source, session, context, (listing) => {
    state.knowledge = addListing({ knowledge: state.knowledge }, listing).knowledge
  })
  return planner({ ...toPlanningInput(context), ...(gatewayMarket && { gatewayMarket }) })
}

async function post({ options }: State, action: ActionOf<'say'>): Promise<void> {
  const { session, offer } = options
  const { key, text, act, data, asks, triggers } = action
  const parts: Part[] = [{ text }, ...(data ? [{ data }] : []), { data: { kind: 'note', key, ...(asks && { asks: true }) } }]
  const client = offer.client_id as DeliveredEnvelope['sender_id']
  await session.postMessage(
    { room_id: offer.room_id, parts, ...(act && { act }) },
    {
      ...(asks && { to: [client], next_speakers: [client], expects: 'reply' as const }),
      ...(triggers && { triggers: [...triggers] }),
    },
  )
}

async function assign({ options }: State, action: ActionOf<'assign'>): Promise<void> {
  const { session, offer } = options
  const { step, task_id, inputs, task_desc, reworks } = action
  const { goal_id, room_id } = offer
  await session.assignTask({ goal_id, room_id, task_id, step, inputs: [...inputs], task_desc, ...(reworks && { reworks }) })
}

async function complete({ options }: State, action: ActionOf<'complete'>): Promise<void> {
  const { session, offer } = options
  const content = Buffer.from(action.content).toString('base64')
  const artifact = { name: 'answer.md', media_type: 'text/markdown', artifact_type: bundleType, content }
  await session.completeTask({ task_id: action.task_id, room_id: offer.room_id, artifacts: [artifact], text: action.text })
}

/** The planner's own listing: what its step costs, and where it is paid. */
async function loadIdentity(session: AgentSession): Promise<PlannerIdentity> {
  let after: string | null | undefined
  do {
    const page = await session.discover({ skill_id: planSkillId, limit: 100, ...(after && { after }) })
    const own = page.listings.find((listing) => listing.agent_id === session.agent_id)
    const skill = own?.skills.find((one) => one.id === planSkillId)
    if (own && skill)
      return { agent_id: own.agent_id, did: session.did, payee: own.payout, price: BigInt(skill.price), royalties: stepRoyaltiesOf(own) }
    after = page.next
  } while (after)
  throw new Error(`The listing ${session.handle} has no skill ${planSkillId}.`)
}
