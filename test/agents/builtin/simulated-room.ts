/**
 * A room without a server: what the principal decides is written into it, and members and server answer by a script. It
 * remembers each decision with the room as it was, so that a test can ask the same question again.
 */
import { createHash } from 'node:crypto'
import {
  type Charter,
  type DeliveredEnvelope,
  type GoalOffer,
  type Json,
  type Listing,
  type Part,
  type TaskInput,
  uuidv7,
} from '@parley/protocol'
import { analystSkillFunctions as analyst } from '../../../agents/builtin/analyst/analyst-skill-functions.ts'
import { dataSkillFunctions as data } from '../../../agents/builtin/data/data-skill-functions.ts'
import { bundleType } from '../../../agents/builtin/planner/charter/build-charter.ts'
import { hashCharter } from '../../../agents/builtin/planner/decisions/client-approval.ts'
import { decideNextAction } from '../../../agents/builtin/planner/decisions/decide-next-action.ts'
import type { DecisionContext } from '../../../agents/builtin/planner/decisions/decision-context.ts'
import type { Action, PlannerDecision } from '../../../agents/builtin/planner/decisions/planner-decision.ts'
import {
  emptyPlannerKnowledge,
  type PlannerKnowledge,
  recordMarket,
  recordSearch,
} from '../../../agents/builtin/planner/decisions/planner-knowledge.ts'
import { toPlanningInput } from '../../../agents/builtin/planner/decisions/to-planning-input.ts'
import { applyMessageToPlannerRoom } from '../../../agents/builtin/planner/room/apply-message-to-planner-room.ts'
import { emptyRoomState, type PlannerRoomState } from '../../../agents/builtin/planner/room/planner-room-state.ts'
import type { Gap } from '../../../agents/builtin/planner/sourcing/find-missing-artifact-types.ts'
import { planBySearch } from '../../../agents/builtin/planner/strategies/deterministic-strategy.ts'
import { plotterSkillFunctions as plotter } from '../../../agents/builtin/plotter/plotter-skill-functions.ts'
import { reviewerSkillFunctions as reviewer } from '../../../agents/builtin/reviewer/reviewer-skill-functions.ts'
import type { OutputFile, RequestInput } from '../../../agents/builtin/skill.ts'
import { writerSkillFunctions as writer } from '../../../agents/builtin/writer/writer-skill-functions.ts'
import { didOf, idOf } from './market.ts'

const skills = { ...data, ...analyst, ...plotter, ...writer, ...reviewer }
const server = didOf('the-server')
export const self = {
  agent_id: idOf('agt', 'house-principal'),
  did: didOf('house-principal'),
  payee: '0x00000000000000000000000000000000000000aa',
  price: 1_000_000n,
}

export type Answer = 'works' | 'declines' | 'silent' | 'fails' | 'expires' | ((outputs: OutputFile[]) => OutputFile[])
export type Word = { readonly confirms: readonly number[] } | { readonly refuses: string; readonly step?: number }
export type RoomScript = {
  readonly offer: GoalOffer
  readonly market: () => Listing[]
  /** How an agent answers, by handle; `works` by default. */
  readonly answers?: Record<string, Answer>
  readonly reply?: string
  readonly avoided?: ReadonlySet<string>
  /** Others that may be asked for what the market lacks: from then on it may be another market. */
  readonly seek?: (need: Gap) => void
  /** What the client says to the n-th charter that is put before it, and to steps of it that wait; nothing is silence. */
  readonly word?: (charter: Charter, nth: number, waiting: readonly number[]) => Word | undefined
  /** Seals that the rail refuses permanently, by their place from 1. */
  readonly refusedSeals?: readonly number[]
}

export type Moment = {
  readonly head: number
  readonly knowledge: PlannerKnowledge
  readonly now: number
  readonly decision: PlannerDecision
}

export function simulateRoom(script: RoomScript, maxSteps = 300) {
  const { offer, market, answers = {}, reply, word = () => undefined, seek, avoided, refusedSeals = [] } = script
  let seals = 0
  let inForce: { charter: Charter; charter_hash: string } | null = null
  const messages: DeliveredEnvelope[] = []
  const submissions: Charter[] = []
  const moments: Moment[] = []
  const files = new Map<string, string>()
  const parties = { principal: self.did, server, client: offer.client_id }
  let room: PlannerRoomState = emptyRoomState
  let knowledge: PlannerKnowledge = { ...emptyPlannerKnowledge, searches: seek ? new Map() : null }
  let now = Date.parse('2026-01-01T00:00:00Z')

  function deliver(sender: string, type: string, parts: Part[], more: Partial<DeliveredEnvelope> = {}): void {
    now += 1_000
    const envelope = {
      v: '1',
      id: uuidv7(now, createHash('sha256').update(String(messages.length)).digest()),
      room_id: offer.room_id,
      sender_id: sender,
      state: 'discussion',
      type,
      parts,
      seq: messages.length + 1,
      received_at: new Date(now).toISOString(),
      ...more,
    } as DeliveredEnvelope
    messages.push(envelope)
    room = applyMessageToPlannerRoom(room, envelope, parties)
  }
  const notifyServer = (data: { [key: string]: Json }) => deliver(server, 'discussion', [{ data }])
  const handleOf = (did: string) =>
    market().find((one) => one.did === did)?.handle ?? [...knowledge.handles].find(([key]) => key === did)?.[1] ?? ''
  const answerOf = (did: string): Answer => answers[handleOf(did)] ?? 'works'
  const keep = (text: string) => {
    const sha256 = createHash('sha256').update(text).digest('hex')
    files.set(sha256, text)
    return sha256
  }
  const partOf = ({ name, media_type, artifact_type, text }: OutputFile): Part => ({
    artifact: { sha256: keep(text), name, media_type, size: text.length, artifact_type },
  })

  async function perform(action: Action, context: DecisionContext): Promise<void> {
    switch (action.do) {
      case 'look':
        knowledge = recordMarket(knowledge, { at: now, head: room.head, listings: market() })
        return
      case 'seek':
        seek?.(action.need)
        knowledge = recordSearch(knowledge, action.need, now)
        return
      case 'plan': {
        knowledge = {
          ...knowledge,
          planned: {
            key: action.question,
            at: now,
            result: planBySearch(toPlanningInput(context)),
          },
        }
        return
      }
      case 'fetch':
        knowledge = { ...knowledge, files: new Map([...knowledge.files, [action.sha256, files.get(action.sha256) ?? '']]) }
        return
      case 'say':
        deliver(self.did, action.act ?? 'discussion', [
          { text: action.text },
          ...(action.data ? [{ data: action.data }] : []),
          { data: { kind: 'note', key: action.key, ...(action.asks && { asks: true }) } },
        ])
        if (action.key.startsWith('waits:')) {
          const waiting = action.key.split(':')[2]?.split(',').map(Number) ?? []
          const given = room.charter && word(room.charter, submissions.length, waiting)
          if (given) post(given)
        }
        if (action.asks && reply !== undefined) deliver(offer.client_id, 'discussion', [{ text: reply }])
        return
      case 'propose':
        propose(action.charter)
        return
      case 'submit': {
        submissions.push(action.charter)
        notifyServer({
          kind: 'charter.submitted',
          number: submissions.length,
          charter_hash: hashCharter(action.charter),
          charter: action.charter as Json,
        })
        const given = word(action.charter, submissions.length, [])
        if (given) post(given)
        return
      }
      case 'seal':
        deliver(self.did, 'discussion', [{ data: { kind: 'charter.seal', version: room.charter?.version ?? 0 } }])
        settleSeal()
        return
      case 'assign':
        await assign(action)
        return
      case 'complete':
        deliver(
          self.did,
          'task_result',
          [
            { text: action.text },
            partOf({ name: 'answer.md', media_type: 'text/markdown', artifact_type: bundleType, text: action.content }),
          ],
          { task_id: action.task_id },
        )
        return
      case 'conclude':
        deliver(self.did, 'conclusion', [...action.parts, { data: { kind: 'conclusion', outcome: action.outcome } }])
        return
      default:
        return action satisfies never
    }
  }

  function settleSeal(): void {
    const { charter, charterHash } = room
    if (!charter || charterHash === null) throw new Error('nothing to seal')
    const { version } = charter
    seals++
    const charter_hash = charterHash
    if (refusedSeals.includes(seals))
      notifyServer({ kind: 'charter.withdrawn', version, charter_hash, reason: 'Not so.', in_force: inForce as Json })
    else {
      inForce = { charter, charter_hash }
      notifyServer({ kind: 'charter.recorded', version })
    }
  }

  /** The client's decision on the newest charter before it, as the server sends it. */
  function post(given: Word): void {
    const charter_hash = room.draft?.hash ?? ''
    if ('refuses' in given)
      notifyServer({ kind: 'charter.refused', charter_hash, reason: given.refuses, ...(given.step !== undefined && { step: given.step }) })
    else
      notifyServer({
        kind: 'charter.confirmed',
        charter_hash,
        steps: [...new Set([...(room.confirmed.get(charter_hash) ?? []), ...given.confirms])],
      })
  }

  function propose(charter: Charter): void {
    const charter_hash = hashCharter(charter)
    deliver(self.did, 'propose', [{ data: { kind: 'charter', charter: charter as Json, charter_hash } }])
    for (const did of new Set(charter.steps.map((step) => step.sender_id))) {
      if (did === self.did || answerOf(did) === 'silent') continue
      if (answerOf(did) === 'declines') deliver(did, 'decline', [{ text: 'Not today.' }])
      else deliver(did, 'accept', [{ data: { kind: 'charter.accept', charter_hash } }])
    }
  }

  async function assign({ step, task_id, inputs }: Extract<Action, { do: 'assign' }>): Promise<void> {
    const own = room.charter?.steps.find((one) => one.step === step)
    if (!own) throw new Error(`no step ${step}`)
    deliver(self.did, `${own.mode}_task_assignment`, [{ data: { kind: 'task', task_id, step, skill_id: own.skill_id } }], { task_id })
    if (own.sender_id === self.did) return
    const answer = answerOf(own.sender_id)
    if (answer === 'expires') return notifyServer({ kind: 'task.expired', task_id })
    if (answer === 'fails') return deliver(own.sender_id, 'error', [{ text: 'I have no figures of that.' }], { task_id })
    const done = await skills[own.skill_id]?.({ inputs: inputs.map(read) })
    const outputs = typeof answer === 'function' ? answer(done?.outputs ? [...done.outputs] : []) : (done?.outputs ?? [])
    deliver(own.sender_id, 'task_result', [{ text: done?.text ?? '' }, ...outputs.map(partOf)], { task_id })
  }

  const read = ({ port, type, artifact, data: value }: TaskInput): RequestInput =>
    artifact ? { port, type, artifact, text: files.get(artifact.sha256) ?? '' } : { port, type, data: value ?? {} }

  return {
    posted: messages,
    submissions,
    say: post,
    moments,
    files,
    notify: deliver,
    notifyServer,
    get room() {
      return room
    },
    /** Until nothing is left to do but wait for a party. */
    async run(): Promise<void> {
      for (let step = 0; step < maxSteps; step++) {
        const context: DecisionContext = { offer, self, room, knowledge, now, decimals: 6, ...(avoided && { avoided }) }
        const decision = decideNextAction(context)
        moments.push({ head: room.head, knowledge, now, decision })
        const [action] = decision.actions
        if (action) await perform(action, context)
        else if (decision.until !== undefined && room.concluded === null) now = Math.max(now + 1, decision.until)
        else return
      }
      throw new Error('the principal does not come to an end')
    },
    /** The decision that a principal makes which knows the room up to `head` only. */
    again({ head, knowledge: then, now: at }: Moment): PlannerDecision {
      const again = messages.slice(0, head).reduce((sum, envelope) => applyMessageToPlannerRoom(sum, envelope, parties), emptyRoomState)
      return decideNextAction({ offer, self, room: again, knowledge: then, now: at, decimals: 6 })
    },
  }
}
