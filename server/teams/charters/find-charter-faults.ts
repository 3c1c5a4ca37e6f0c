import {
  type Charter,
  type CharterStep,
  canonicalize,
  charterHash,
  type Json,
  type Listing,
  proxyFault,
  reviewTimeoutOf,
  teamPreferenceFaults,
} from '@parley/protocol'
import type { Context } from '../../context.ts'
import { getListing } from '../../registry/index.ts'
import { explainGasExcess, getHold, getQuotedCharter, type HoldView } from '../../settlement/index.ts'
import type { Team } from '../team.ts'
import { getTeamTerms } from '../team-terms-store.ts'
import { readNextCharterVersion } from './next-charter-version.ts'
import type { StepView } from './step-store.ts'

/** Where the charter contradicts the hold, the registry or the earlier charter. `mayChange`: selects the steps of this proposal. */
export async function findCharterFaults(
  tx: Context,
  given: {
    goalId: string
    charter: Charter
    principal: string
    team: Team | null
    steps: readonly StepView[]
    mayChange(step: CharterStep): boolean
  },
): Promise<string[]> {
  const { charter } = given
  const faults: string[] = []
  const hold = await getHold(tx, given.goalId)
  const differs = (what: string, actual: unknown, expected: unknown) => {
    if (actual !== expected) faults.push(`${what} is ${String(actual)}, it must be ${String(expected)}.`)
  }
  const quoted = hold.isQuoted ? await getQuotedCharter(tx, given.goalId) : null
  // The escrow takes no other.
  if (quoted && quoted.charterHash !== (await charterHash(charter)))
    return ['The client has funded the quoted charter. No step, agent or amount of it can change.']
  differs('The goal', charter.goal_id, given.goalId)
  differs('The version', charter.version, quoted ? quoted.charter.version : given.team ? await readNextCharterVersion(tx, given.team) : 1)
  differs('The principal', charter.principal_id, given.principal)
  differs('The total', charter.total, hold.total.toString())
  differs('The fee', charter.fee_bps, hold.feeBps)
  differs('The asset', charter.asset, hold.asset)
  differs('The evaluator', charter.evaluator_id.toLowerCase(), hold.evaluator.toLowerCase())
  differs('What silence does', charter.on_review_timeout, reviewTimeoutOf(hold.onSilence))
  const { preferences } = await getTeamTerms(tx, given.goalId)
  if (preferences) faults.push(...teamPreferenceFaults(charter, preferences))
  if (charter.plan) differs('The plan', textOf({ ...charter.plan }), textOf(planOf(hold)))
  const tooLarge = hold.rail === 'escrow' ? explainGasExcess(sizeOf(charter)) : null
  if (tooLarge !== null) faults.push(tooLarge)
  if (hold.state !== 'authorized') faults.push(`The hold is ${hold.state}. A team needs an authorized hold.`)
  for (const step of charter.steps.filter(given.mayChange)) {
    const listing = await getListing(tx, step.agent_id)
    if (listing.withdrawn_at !== null) faults.push(`Step ${step.step}: the listing of ${listing.handle} was withdrawn.`)
    differs(`Step ${step.step}: the agent's DID`, step.sender_id, listing.did)
    differs(`Step ${step.step}: the payee`, step.payee, listing.payout)
    const isDone = given.steps.find((one) => one.step === step.step)?.state === 'done'
    // A done step keeps the royalties with which it was sealed.
    if (!isDone) differs(`Step ${step.step}: who takes a royalty`, royaltiesOf(step), royaltiesOf({ royalties: owedBy(listing) }))
    const unvouched = isDone ? null : proxyFault(listing.proxy, tx.clock.now().getTime())
    if (unvouched !== null) faults.push(`Step ${step.step}: ${unvouched}`)
    const skill = listing.skills.find((one) => one.id === step.skill_id)
    if (!skill) faults.push(`Step ${step.step}: ${listing.handle} does not offer ${step.skill_id}.`)
  }
  for (const adviser of charter.advisers ?? []) {
    const listing = await getListing(tx, adviser.agent_id)
    if (listing.withdrawn_at !== null) faults.push(`The adviser ${listing.handle} was withdrawn.`)
    differs(`The adviser ${listing.handle}: its DID`, adviser.sender_id, listing.did)
  }
  return faults
}

function sizeOf({ steps }: Charter): { steps: number; royalties: number } {
  return { steps: steps.length, royalties: steps.reduce((sum, { royalties = [] }) => sum + royalties.length, 0) }
}

function planOf(hold: HoldView): Json {
  return hold.rail === 'escrow' ? { chain_id: hold.chainId, escrow: hold.escrow, plan_id: hold.planId } : null
}

function owedBy(listing: Listing): NonNullable<CharterStep['royalties']> {
  return (listing.royalties ?? []).map(({ agent_id, payee, bps }) => ({ agent_id, to: payee, bps }))
}

function royaltiesOf({ royalties = [] }: Pick<CharterStep, 'royalties'>): string {
  return textOf(royalties.map(({ agent_id, to, bps }) => ({ agent_id, to, bps })))
}

function textOf(value: unknown): string {
  return canonicalize(value as Json)
}
