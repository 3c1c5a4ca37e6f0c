/** From proposal to a charter on chain: who signs, who refuses, who stays silent, and who comes in their place. */
import type { Charter } from '@parley/protocol'
import { listed } from '../../artifacts/table-series.ts'
import { charterOf, withStandIns } from '../charter/build-charter.ts'
import { attemptOf, unsigned } from '../room/reduce.ts'
import {
  act,
  fail,
  handleOf,
  hasBegun,
  isFresh,
  missingMembers,
  otherOffers,
  patienceMs,
  retryMs,
  type Scene,
  sayOnce,
  seekElsewhere,
  wait,
} from './decision-context.ts'
import type { Decision } from './knowledge.ts'
import { type NextVersion, needFor, nextVersion } from './next-charter.ts'

export function decideTeam(scene: Scene, charter: Charter): Decision {
  const { floor } = scene
  const missing = missingMembers(scene)
  if (missing.length > 0 && floor.sealed !== charter.version) return replaceMembers(scene, charter, missing)
  if (unsigned(floor).length > 0) return wait(floor.proposedAt + patienceMs)
  if (floor.sealed !== charter.version) return act({ do: 'seal', key: `seal:${charter.version}` })
  return wait()
}

/** The next version without those who refuse. Before any work the whole plan is made anew; afterwards hands change, or the way from what is done. */
function replaceMembers(scene: Scene, charter: Charter, missing: readonly string[]): Decision {
  const { floor, known, now, offer, self } = scene
  if (!isFresh(scene, floor.proposedSeq)) return act({ do: 'look', key: `look:${now}` })
  const version = charter.version + 1
  // What is done, or stands with its agent, can't change hands.
  const movable = charter.steps.filter(
    (step) => missing.includes(step.sender_id) && !['completed', 'open'].includes(attemptOf(floor, step.step)?.status ?? ''),
  )
  const steps = movable.map((step) => step.step)
  const offers = otherOffers(scene).filter((one) => !missing.includes(one.sender_id))
  const names = listed(missing.map((did) => handleOf(scene, did)))
  const reasons = [...floor.declined.values()].map((reason) => `“${reason}”`)
  const why = `${names} ${reasons.length > 0 ? `declined: ${listed(reasons)}` : 'did not answer the invitation.'}`
  // Before any work the planner may choose another way; afterwards what is done stays, and the way goes on from there.
  const next = steps.length === 0 ? undefined : hasBegun(floor) ? nextVersion(scene, charter, steps, offers) : inOtherHands()
  if (next)
    return act(
      { do: 'say', key: `swap:${version}`, text: `${why} ${next.says}` },
      { do: 'propose', key: `propose:${version}`, charter: next.charter },
    )
  const elsewhere = hasBegun(floor) && seekElsewhere(scene, needFor(scene, charter, movable))
  if (elsewhere) return elsewhere
  if (hasBegun(floor))
    return sayOnce(
      floor,
      `short:${version}`,
      `${why} Nobody else online can take the step; I keep looking until the deadline.`,
      wait(now + retryMs),
    )
  const key = `version:${version}:${known.market?.at}`
  if (known.planned?.key !== key) return act({ do: 'plan', key: `plan:${key}`, question: key })
  const { result } = known.planned
  if ('plan' in result)
    return act(
      { do: 'say', key: `swap:${version}`, text: `${why} I plan anew. ${result.summary}` },
      { do: 'propose', key: `propose:${version}`, charter: charterOf(result.plan, offer, self, version) },
    )
  const further = seekElsewhere(scene, result.need)
  if (further) return further
  if ('question' in result) return fail(floor, `${why} ${result.question}`)
  return sayOnce(floor, `short:${version}`, `${why} ${result.reason} I keep looking until the deadline.`, wait(now + retryMs))

  function inOtherHands(): NextVersion | undefined {
    const swapped = withStandIns(charter, steps, offers, BigInt(offer.payable))
    return swapped && { charter: swapped, says: 'I ask somebody else.' }
  }
}
