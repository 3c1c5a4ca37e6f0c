import { type ArtifactRef, type Charter, charterFaults, type Listing } from '@parley/protocol'
import { charterOfQuote } from '../../../agents/builtin/planner/charter/charter-of-quote.ts'
import type { PlannedQuote } from '../../../agents/builtin/planner/quote/quote-goal.ts'
import { explainGasExcess } from '../../settlement/index.ts'
import { goalQuoteInvalid } from '../errors.ts'

/** The plan that the client approves with its funding, and the planner that leads it. */
export type QuotedTeam = { readonly plan: PlannedQuote['plan']; readonly planner: Listing }

/**
 * A quoted charter is part of the funded terms, so its version on chain is 0. It does not name the plan, whose id is the hash of those
 * terms.
 */
const quotedVersion = 0

/**
 * The charter of a quoted plan. A plan that was made before the upload names a file by its place in the list.
 * @throws goal.quote_invalid if no team could have this charter
 */
export function buildQuotedCharter(
  { plan, planner }: QuotedTeam,
  frame: Omit<Parameters<typeof charterOfQuote>[2], 'plan'>,
  attachments: readonly ArtifactRef[],
): Charter {
  const charter = charterOfQuote(plan, planner, frame, quotedVersion)
  const named: Charter = {
    ...charter,
    steps: charter.steps.map((step) => ({
      ...step,
      inputs: step.inputs.map((input) => {
        if (input.attachment === undefined) return input
        const file = attachments[Number.parseInt(input.attachment, 16)]
        if (!file) throw goalQuoteInvalid('Its plan needs a file that was not attached.')
        return { ...input, attachment: file.sha256 }
      }),
    })),
  }
  const size = { steps: named.steps.length, royalties: named.steps.reduce((sum, step) => sum + (step.royalties?.length ?? 0), 0) }
  const faults = [...charterFaults(named), ...[explainGasExcess(size)].filter((fault) => fault !== null)]
  if (faults.length > 0) throw goalQuoteInvalid(`No team can have its charter. ${faults.join(' ')}`)
  return named
}
