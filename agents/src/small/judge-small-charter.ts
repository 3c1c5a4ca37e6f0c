import { canonicalize, type Json, utf8Bytes } from '@parley/protocol'
import type { AgreedTerms } from './device-store.ts'
import { sha256Hex } from './ed25519-signer.ts'
import { hasFields } from './read-frame-without-schema.ts'
import type { SmallListing } from './register-small-agent.ts'
import { fieldText } from './small-message.ts'

/** An invitation for this agent: what to answer, where, and the terms to remember. `verdict`: true, or the reason for declining. */
export type JudgedInvitation = {
  readonly goal_id: string
  readonly room_id: string
  readonly charter_hash: string
  readonly terms: AgreedTerms
  readonly verdict: true | string
}

type Fields = { readonly [name: string]: unknown }

/**
 * Judges the charter of an invitation. Every own step must have a skill of the listing, pay at least its price, and pay the listing's
 * address. Undefined if the agent has no step, or if the hash is not that of the charter: the agent signs this hash.
 */
export function judgeSmallCharter(data: Fields, did: string, listing: SmallListing): JudgedInvitation | undefined {
  const { charter } = data
  if (!hasFields(charter) || !Array.isArray(charter.steps)) return undefined
  const charter_hash = `0x${sha256Hex(utf8Bytes(canonicalize(charter as Json)))}`
  const steps = (charter.steps as unknown[]).filter(hasFields).filter((step) => step.sender_id === did && step.canceled !== true)
  if (charter_hash !== data.charter_hash || steps.length === 0) return undefined
  const goal_id = fieldText(charter.goal_id)
  const outputs = Object.fromEntries(
    steps.map((step) => [String(step.step), Array.isArray(step.outputs) ? fieldText(step.outputs[0]) : '']),
  )
  return {
    goal_id,
    charter_hash,
    // A sub-team's invitation names its own room and lead.
    room_id: fieldText(data.room_id) || fieldText(charter.room_id),
    terms: { goal_id, lead: fieldText(data.hired_by) || fieldText(charter.principal_id), outputs },
    verdict: steps.map((step) => stepFault(step, listing)).find((fault) => fault !== undefined) ?? true,
  }
}

function stepFault(step: Fields, { skills, payout }: SmallListing): string | undefined {
  const skill = skills.find(({ id }) => id === step.skill_id)
  if (!skill) return `This agent has no skill ${fieldText(step.skill_id)}.`
  const amount = fieldText(step.amount)
  if (!/^\d{1,19}$/.test(amount) || BigInt(amount) < BigInt(skill.price))
    return `Step ${step.step} pays ${amount}, my price is ${skill.price}.`
  if (fieldText(step.payee).toLowerCase() !== payout.toLowerCase())
    return `Step ${step.step} pays ${step.payee}, my listing names ${payout}.`
  return undefined
}
