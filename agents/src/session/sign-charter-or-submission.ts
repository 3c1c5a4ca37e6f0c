/** Signatures of the payout key for the escrow: charters, and step submissions. */
import {
  type Charter,
  type CharterTypedData,
  charterTypedData,
  type EscrowPlan,
  type MemberSignature,
  outputsHash,
  type StepSubmissionTypedData,
  stepSubmissionTypedData,
} from '@parley/protocol'

/** The key of the payout address; a viem account qualifies. It signs charters and submissions, never a transfer of money. */
export type PayoutSigner = {
  readonly address: string
  /** The payout address that the key signs for, if it is another one that allowed it on chain by `setSigner`. */
  readonly signsFor?: string
  signTypedData(typedData: CharterTypedData): Promise<string>
  signTypedData(typedData: StepSubmissionTypedData): Promise<string>
}

/** Undefined if the charter pays this agent at another address, or names no escrow plan. */
export async function signCharter(
  signer: PayoutSigner | undefined,
  did: string,
  charter: Charter,
  hash: string,
): Promise<MemberSignature | undefined> {
  const own = charter.steps.filter((step) => step.sender_id === did)
  const address = payoutAddress(signer)
  if (!signer || !charter.plan || own.length === 0 || own.some((step) => step.payee !== address)) return undefined
  const signature = await signer.signTypedData(charterTypedData(charter, hash as `0x${string}`, charter.plan))
  return { signer: signer.address.toLowerCase(), signature }
}

/**
 * Signs that the files of a step were submitted, which the server can then prove on chain. Undefined if the key is not the payee's.
 * @param submission `files`: SHA-256 hashes of the outputs; `plan`: of a quoted goal, whose charter names none
 */
export async function signSubmission(
  signer: PayoutSigner | undefined,
  charter: Charter | null,
  submission: { readonly step: number; readonly files: readonly string[]; readonly plan?: EscrowPlan | undefined },
): Promise<MemberSignature | undefined> {
  const step = charter?.steps.find((one) => one.step === submission.step)
  const plan = charter?.plan ?? submission.plan
  if (!signer || !charter || !plan || step?.payee !== payoutAddress(signer)) return undefined
  const outputs_hash = await outputsHash(submission.files)
  const signature = await signer.signTypedData(
    stepSubmissionTypedData({ plan, version: charter.version, step: submission.step, outputs_hash }),
  )
  return { signer: signer.address.toLowerCase(), signature }
}

const payoutAddress = (signer: PayoutSigner | undefined): string | undefined => (signer?.signsFor ?? signer?.address)?.toLowerCase()
