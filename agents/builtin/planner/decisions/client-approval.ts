/**
 * The client in the loop: no charter is proposed to agents before the client has confirmed it, and no step handed out before
 * its own word. A refusal leads to another charter; silence is waited out. Pure, over the decisions of the other floors.
 */
import { createHash } from 'node:crypto'
import { type Charter, type CharterStep, canonicalBytes, type Json } from '@parley/protocol'
import { listed } from '../../artifacts/table-series.ts'
import { withStandIns } from '../charter/build-charter.ts'
import { nextVersion, renumbered } from '../room/charter-events.ts'
import { act, handleOf, isFresh, money, otherOffers, retryMs, type Scene, sayOnce, wait } from './decision-context.ts'
import type { Action, Decision } from './knowledge.ts'

export const asksClient = ({ offer }: Scene): boolean => offer.planner === 'copilot'

/** As the server computes it. */
export const hashOf = (charter: Charter): string =>
  `0x${createHash('sha256')
    .update(canonicalBytes(charter as Json))
    .digest('hex')}`

/** Whether a step of the charter in force may be handed out; the principal's own is confirmed with the charter. */
export function mayHandOut(scene: Scene, charter: Charter, step: CharterStep): boolean {
  if (!asksClient(scene) || step.sender_id === charter.principal_id) return true
  return scene.floor.confirmed.get(scene.floor.charterHash ?? '')?.has(step.step) ?? false
}

/** Says once of each step that it waits for the client. */
export function askForSteps(scene: Scene, steps: readonly CharterStep[]): Decision {
  const names = steps.map(
    (step) => `step ${step.step}, ${step.title} (${handleOf(scene, step.sender_id)}, ${money(scene, BigInt(step.amount))})`,
  )
  const key = `waits:${scene.floor.charter?.version}:${steps.map((step) => step.step).join(',')}`
  return sayOnce(scene.floor, key, `Ready, and waiting for the client's word: ${listed(names)}.`, wait())
}

/** A decision as it stands where the client is asked first. */
export function withClient(scene: Scene, decision: Decision): Decision {
  const { floor } = scene
  const { draft } = floor
  const isNext = draft?.charter.version === nextVersion(floor)
  if (draft?.state === 'confirmed' && isNext)
    return act({ do: 'propose', key: `propose:${draft.charter.version}:${draft.hash}`, charter: draft.charter })
  if (draft?.state === 'submitted' && isNext) return floor.charter ? without(decision) : wait()
  const refused = floor.refusals.findLast((one) => one.hash === floor.charterHash)
  if (draft?.state === 'refused' && draft.hash === floor.charterHash && refused?.step !== undefined && decision.actions.length === 0)
    return submitted(scene, reviseStep(scene, draft.charter, refused.step, refused.reason))
  return submitted(scene, decision)
}

const without = (decision: Decision): Decision => ({ ...decision, actions: decision.actions.filter((action) => action.do !== 'propose') })

/** Charters go to the client in place of the agents; one that was refused goes to nobody. */
function submitted(scene: Scene, wish: Decision): Decision {
  const { floor } = scene
  const decision = renumbered(floor, wish)
  const proposal = decision.actions.find((action) => action.do === 'propose')
  if (proposal && floor.refusals.some((one) => one.hash === hashOf(proposal.charter))) return stuck(scene)
  const words = decision.actions.find((action) => action.do === 'say')?.text ?? ''
  return {
    ...decision,
    actions: decision.actions.map(
      (action): Action =>
        action.do === 'propose'
          ? { do: 'submit', key: `submit:${hashOf(action.charter)}`, charter: action.charter, reason: reasonOf(words) }
          : action,
    ),
  }
}

const reasonOf = (words: string): string => (words.split('\n')[0] ?? '').slice(0, 1_000)

function stuck({ floor }: Scene): Decision {
  const key = `stuck:${floor.refusals.length}:${floor.answers.length}`
  if (floor.notes.has(key)) return wait()
  const text = 'I have no other charter than the one that was refused. What should change? Say it here, or stop the goal.'
  return act({ do: 'say', key, text, asks: true })
}

/** The next version with somebody else for a step that the client refused before it was handed out. */
function reviseStep(scene: Scene, charter: Charter, step: number, reason: string): Decision {
  const { now, offer, floor } = scene
  if (!isFresh(scene, floor.head)) return act({ do: 'look', key: `look:${now}` })
  const next = withStandIns(charter, [step], otherOffers(scene), BigInt(offer.payable))
  if (!next)
    return sayOnce(
      floor,
      `nobody:${charter.version}:${step}`,
      `Step ${step} was refused (“${reason}”), and nobody else online can take it. I keep looking until the deadline.`,
      wait(now + retryMs),
    )
  const text = `Step ${step} was refused: “${reason}”. I propose somebody else for it.`
  return act(
    { do: 'say', key: `revise:${next.version}:${floor.refusals.length}`, text },
    { do: 'propose', key: `propose:${next.version}`, charter: next },
  )
}
