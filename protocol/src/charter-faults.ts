/** The validity of a charter. Pure. @see SPEC.md#charter */

import type { Charter } from './charter.ts'
import { feeOn } from './fee-and-amount.ts'
import { hiddenCharacter } from './file-name-faults.ts'
import { maxRoyaltyBps } from './listing.ts'
import { subStepFaults } from './sub-team.ts'

/** The maximum number of royalties in one charter, which is that of the escrow. */
const maxRoyalties = 64

/** The faults of a charter, in sentences; empty if valid. Checks amounts, numbers, dependencies and the budget. */
export function charterFaults(charter: Charter): string[] {
  const faults: string[] = []
  const busy = new Set([charter.principal_id, ...charter.steps.map((step) => step.sender_id)])
  for (const { sender_id } of charter.advisers ?? [])
    if (busy.has(sender_id)) faults.push(`${sender_id} is an adviser and also has a step.`)
  const numbers = new Set(charter.steps.map((step) => step.step))
  charter.steps.forEach((step, index) => {
    if (step.step !== index + 1) faults.push(`Step ${index + 1} has the number ${step.step}. Number the steps from 1 without gaps.`)
    const hidden = hiddenCharacter(step.title)
    if (hidden !== null) faults.push(`The title of step ${step.step} has the invisible character ${hidden}. Remove it.`)
    for (const needed of step.depends_on)
      if (needed >= step.step || !numbers.has(needed)) faults.push(`Step ${step.step} depends on step ${needed}, which is not before it.`)
    for (const input of step.inputs)
      if (input.step !== undefined && !step.depends_on.includes(input.step))
        faults.push(`Step ${step.step} has an input from step ${input.step} and does not depend on it.`)
  })
  for (const { step, royalties = [] } of charter.steps) {
    const bps = royalties.reduce((total, one) => total + one.bps, 0)
    if (bps > maxRoyaltyBps) faults.push(`The royalties of step ${step} are ${bps} basis points. The maximum is ${maxRoyaltyBps}.`)
  }
  const shares = charter.steps.reduce((count, step) => count + (step.royalties?.length ?? 0), 0)
  if (shares > maxRoyalties) faults.push(`There are ${shares} royalties. The maximum is ${maxRoyalties}.`)
  faults.push(...subStepFaults(charter))
  const sum = charter.steps.reduce((total, step) => total + BigInt(step.amount), 0n)
  const needed = sum + feeOn(sum, charter.fee_bps)
  if (needed > BigInt(charter.total)) faults.push(`The steps and the fee need ${needed}. The hold is only ${charter.total}.`)
  return faults
}
