/** The key that an agent is paid to, as far as it signs for the escrow: charters, and that it has handed in a step. */
import {
  type Charter,
  type CharterTypedData,
  charterTypedData,
  type MemberSignature,
  outputsHash,
  type StepSubmissionTypedData,
  stepSubmissionTypedData,
} from '@parley/protocol'

/** An account of viem's is one as it stands. It is asked to sign charters and submissions, never anything that moves money. */
export type Payee = {
  readonly address: string
  /** The payout address that it signs for, where that is another one and has allowed it on chain (`setSigner`). */
  readonly signsFor?: string
  signTypedData(typedData: CharterTypedData): Promise<string>
  signTypedData(typedData: StepSubmissionTypedData): Promise<string>
}

/** Undefined where the charter pays this agent elsewhere, or names no escrow. */
export async function signCharter(
  payee: Payee | undefined,
  did: string,
  charter: Charter,
  hash: string,
): Promise<MemberSignature | undefined> {
  const own = charter.steps.filter((step) => step.sender_id === did)
  const address = (payee?.signsFor ?? payee?.address)?.toLowerCase()
  if (!payee || !charter.plan || own.length === 0 || own.some((step) => step.payee !== address)) return undefined
  const signature = await payee.signTypedData(charterTypedData(charter, hash as `0x${string}`, charter.plan))
  return { signer: payee.address.toLowerCase(), signature }
}

/** That a step's files were handed in: with it the server can say so on chain. Undefined where this key may not. */
export async function signSubmission(
  payee: Payee | undefined,
  charter: Charter | null,
  given: { readonly step: number; readonly files: readonly string[] },
): Promise<MemberSignature | undefined> {
  const step = charter?.steps.find((one) => one.step === given.step)
  const address = (payee?.signsFor ?? payee?.address)?.toLowerCase()
  if (!payee || !charter?.plan || step?.payee !== address) return undefined
  const outputs_hash = await outputsHash(given.files)
  const signature = await payee.signTypedData(
    stepSubmissionTypedData({ plan: charter.plan, version: charter.version, step: given.step, outputs_hash }),
  )
  return { signer: payee.address.toLowerCase(), signature }
}
