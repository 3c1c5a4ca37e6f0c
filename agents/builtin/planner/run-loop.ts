/** The loop around the decisions: reads a room in order, does what comes next, and waits. All judgement is in `decide`. */
import { type AgentSession, ProblemError } from '@parley/agents'
import type { DeliveredEnvelope, GoalOffer, Part } from '@parley/protocol'
import { bundleType, type Self } from './charter/build-charter.ts'
import { refusedBefore, rememberRefused } from './client-preferences.ts'
import { planningInput, type Scene } from './decisions/decision-context.ts'
import { type Action, hasSought, type Knowledge, nothingKnown, seen } from './decisions/knowledge.ts'
import { decide } from './decisions/next-action.ts'
import { elsewhereOf, withListing } from './external-market.ts'
import { planSkill, royaltiesOf } from './plan/skill-offers.ts'
import { castOf, emptyFloor, type Floor, foldFloor } from './room/reduce.ts'
import { byTypeAlone, type OfferSource } from './sourcing/offer-source.ts'
import type { Planned, Planner } from './strategies/strategy.ts'

/** Decimals of the settlement asset, for sentences only: USDC has six. */
const decimals = 6
/** A message of ours that hasn't come back by then is looked for again. */
const echoMs = 30_000

export type DriveOptions = {
  readonly session: AgentSession
  readonly offer: GoalOffer
  readonly planner: Planner
  readonly source: OfferSource
  /** The room's last number, as the server said at the last connect: nothing is decided before it is read. */
  readonly headOf: (group_id: string) => number
  readonly signal: AbortSignal
}

/** Codes that say that the goal is no longer ours to move. */
const over = new Set([
  'goal.not_found',
  'goal.wrong_state',
  'goal.not_principal',
  'goal.already_claimed',
  'group.concluded',
  'group.not_member',
  'group.not_found',
])

/** Resolves when the goal is settled, lost to another, or the signal aborts. */
export async function driveGoal({ session, offer, planner, source: given, headOf, signal }: DriveOptions): Promise<void> {
  const { group_id } = offer
  const source = offer.visibility === 'public' ? given : byTypeAlone(given)
  const cast = castOf(offer, session.did, session.server)
  const waiting = new Map<number, DeliveredEnvelope>()
  const issued = new Map<string, number>()
  const failures = new Map<Action['do'], number>()
  let floor: Floor = emptyFloor
  let known: Knowledge = { ...nothingKnown, sought: source.seek ? new Map() : null }
  let nudge = Promise.withResolvers<void>()
  /** How far the server's clock is ahead of ours: what comes live was taken just now. */
  let ahead = Number.NEGATIVE_INFINITY
  const now = () => Date.now() + (Number.isFinite(ahead) ? ahead : 0)

  function take(envelope: DeliveredEnvelope): void {
    if (envelope.seq > floor.head) waiting.set(envelope.seq, envelope)
    for (let next = waiting.get(floor.head + 1); next; next = waiting.get(floor.head + 1)) {
      waiting.delete(next.seq)
      floor = foldFloor(floor, next, cast)
    }
    nudge.resolve()
  }

  const stop = [
    session.on('message', ({ envelope }) => {
      if (envelope.group_id !== group_id) return
      ahead = Math.max(ahead, Date.parse(envelope.received_at) - Date.now())
      take(envelope)
    }),
    session.on('online', () => nudge.resolve()),
  ]
  const aborted = () => nudge.resolve()
  signal.addEventListener('abort', aborted)
  try {
    const self = await ownSelf(session)
    const avoided = await refusedBefore(session, offer.client_id)
    // Delivered envelopes carry the server's fields; the replay's type leaves that to be said.
    await session.replay(group_id, 0, (envelope) => take(envelope as DeliveredEnvelope))
    while (!signal.aborted && !floor.closed) {
      nudge = Promise.withResolvers<void>()
      if (floor.head < headOf(group_id)) {
        await rest(echoMs)
        continue
      }
      const scene: Scene = { offer, self, floor, known, now: now(), decimals, avoided }
      const decision = decide(scene)
      const actions = decision.actions.filter((action) => Date.now() - (issued.get(action.key) ?? 0) > echoMs)
      if (actions.length === 0) {
        await rest(Math.min(decision.until === undefined ? echoMs : Math.max(50, decision.until - now()), echoMs))
        continue
      }
      for (const action of actions) if (!(await attempt(action, scene))) break
    }
    const refused = floor.refusals.map((one) => one.agent)
    // The goal is settled all the same where it can't be kept.
    if (floor.closed) await rememberRefused(session, offer.client_id, avoided, refused).catch(() => undefined)
  } catch (error) {
    if (!(error instanceof ProblemError && over.has(error.code))) throw error
  } finally {
    signal.removeEventListener('abort', aborted)
    for (const off of stop) off()
  }

  async function rest(ms: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    await Promise.race([nudge.promise, new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)))])
    clearTimeout(timer)
  }

  /** False where the server refused: what it was said about is looked at anew, after a while. */
  async function attempt(action: Action, scene: Scene): Promise<boolean> {
    issued.set(action.key, Date.now())
    try {
      await perform(action, scene)
      failures.delete(action.do)
      return true
    } catch (error) {
      if (!(error instanceof ProblemError) || error.code.startsWith('session.') || over.has(error.code)) throw error
      issued.delete(action.key)
      const count = (failures.get(action.do) ?? 0) + 1
      failures.set(action.do, count)
      // A refused charter was made from what no longer holds.
      known = { ...known, market: undefined, planned: undefined }
      if (error.retry !== 'later' && count >= 3 && action.do !== 'conclude') known = { ...known, hopeless: error.message }
      await new Promise((resolve) => setTimeout(resolve, Math.min(500 * 2 ** count, 15_000)))
      return false
    }
  }

  async function perform(action: Action, scene: Scene): Promise<void> {
    const { goal_id } = offer
    switch (action.do) {
      case 'look':
        known = seen(known, { at: now(), head: scene.floor.head, listings: await source.look(session) })
        return
      case 'seek':
        await source.seek?.(session, action.need)
        known = hasSought(known, action.need, now())
        return
      case 'plan':
        {
          const result = await plan(scene)
          known = { ...known, planned: { key: action.question, at: now(), result } }
        }
        return
      case 'fetch': {
        const { bytes } = await session.getArtifact({ group_id, sha256: action.sha256 })
        known = { ...known, files: new Map([...known.files, [action.sha256, new TextDecoder().decode(bytes)]]) }
        return
      }
      case 'say':
        await say(action)
        return
      case 'propose':
        await session.proposeTeam({ goal_id, charter: action.charter })
        return
      case 'submit':
        await session.submitCharter({ goal_id, charter: action.charter, reason: action.reason })
        return
      case 'seal':
        await session.sealTeam({ goal_id, group_id })
        return
      case 'assign': {
        const { step, task_id, inputs, task_desc, reworks } = action
        await session.assignTask({ goal_id, group_id, task_id, step, inputs: [...inputs], task_desc, ...(reworks && { reworks }) })
        return
      }
      case 'complete': {
        const content = Buffer.from(action.content).toString('base64')
        const artifact = { name: 'answer.md', media_type: 'text/markdown', artifact_type: bundleType, content }
        await session.completeTask({ task_id: action.task_id, group_id, artifacts: [artifact], text: action.text })
        return
      }
      case 'conclude':
        await session.concludeGoal({ goal_id, group_id, outcome: action.outcome, parts: [...action.parts] })
        return
      default:
        return action satisfies never
    }
  }

  async function say(action: Extract<Action, { do: 'say' }>): Promise<void> {
    const { key, text, act, data, asks, triggers } = action
    const parts: Part[] = [{ text }, ...(data ? [{ data }] : []), { data: { kind: 'note', key, ...(asks && { asks: true }) } }]
    const client = offer.client_id as DeliveredEnvelope['sender_id']
    await session.postMessage(
      { group_id, parts, ...(act && { act }) },
      {
        ...(asks && { to: [client], next_speakers: [client], expects: 'reply' as const }),
        ...(triggers && { triggers: [...triggers] }),
      },
    )
  }

  async function plan(scene: Scene): Promise<Planned> {
    const elsewhere = elsewhereOf(source, session, scene, (listing) => {
      ;({ known } = withListing({ known }, listing))
    })
    return planner({ ...planningInput(scene), ...(elsewhere && { elsewhere }) })
  }
}

/** What the principal is paid for its own step, and where. */
async function ownSelf(session: AgentSession): Promise<Self> {
  let after: string | null | undefined
  do {
    const page = await session.discover({ skill_id: planSkill, limit: 100, ...(after && { after }) })
    const own = page.listings.find((listing) => listing.agent_id === session.agent_id)
    const skill = own?.skills.find((one) => one.id === planSkill)
    if (own && skill)
      return { agent_id: own.agent_id, did: session.did, payee: own.payout, price: BigInt(skill.price), royalties: royaltiesOf(own) }
    after = page.next
  } while (after)
  throw new Error(`the listing ${session.handle} has no ${planSkill}`)
}
