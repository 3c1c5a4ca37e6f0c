/**
 * The signatures that bind a charter and its work on chain. Members sign a digest in addition to their acceptance in the room, and the
 * evaluator signs a receipt for submitted work. @see SPEC.md#agreement
 */
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { z } from 'zod'
import { WireAddress } from './address.ts'
import { canonicalBytes, sha256 } from './canonical.ts'
import { type Charter, EscrowPlan } from './charter.ts'
import {
  charterAuthorizationTypes,
  charterTypes,
  charterVetoTypes,
  escrowDomain,
  stepSubmissionTypes,
  submissionTypes,
} from './escrow-types.ts'
import { GoalId, RoomId, TaskId } from './id.ts'

type Hex = `0x${string}`
const Bytes32 = z.string().regex(/^0x[0-9a-f]{64}$/)
/** A signature of a key, or a signature that a contract wallet accepts (ERC-1271). */
const SignatureHex = z.string().regex(/^0x([0-9a-f]{2}){64,4096}$/)

/** A member's signature over a charter for the escrow: EIP-712, by its payee or a signer that the payee allowed on chain. */
export const MemberSignature = z.looseObject({ signer: WireAddress, signature: SignatureHex })
export type MemberSignature = z.infer<typeof MemberSignature>

/** The server's receipt for completed work. If the client does not answer within the review time, the escrow pays its holder. */
export const TaskReceipt = z.looseObject({
  goal_id: GoalId,
  room_id: RoomId,
  task_id: TaskId,
  step: z.int().min(1).max(60),
  plan: EscrowPlan,
  terms: z.record(z.string(), z.json()).describe("The escrow's Terms by field name; amounts as decimal strings, times in Unix seconds."),
  version: z.int().min(0).describe('Version of the charter. The receipt pays nothing after a higher version is sealed.'),
  charter: Bytes32.describe("The charter's value on chain: see `charterBinding`."),
  bits: z.string().regex(/^[1-9]\d{0,19}$/),
  outputs_hash: Bytes32.describe('See `outputsHash`.'),
  received_at: z.int().positive().describe('Unix seconds.'),
  signature: SignatureHex.describe('Of the evaluator, over `Submission`.'),
})
export type TaskReceipt = z.infer<typeof TaskReceipt>

/** The charter as the escrow reads it: payees and amounts by position, and the royalties in the order of their steps. */
export function escrowCharterOf(charter: Charter) {
  const steps = [...charter.steps].sort((a, b) => a.step - b.step)
  return {
    steps: steps.map((step) => ({ payee: step.payee as Hex, amount: BigInt(step.amount) })),
    royalties: steps.flatMap((step, index) => (step.royalties ?? []).map(({ to, bps }) => ({ step: index, to: to as Hex, bps }))),
  }
}

/** The payees, each once, in the order in which the escrow requires their signatures. */
export function payeesOf(charter: Charter): Hex[] {
  return [...new Set(escrowCharterOf(charter).steps.map((step) => step.payee))]
}

/** What the escrow stores of a charter (`charterOf`). Attestations and receipts cover it. */
export function charterBinding(charter: Charter, charterHash: Hex): Hex {
  const { stepsHash, royaltiesHash } = partHashesOf(charter)
  return hashOfWords([stepsHash, royaltiesHash, charterHash].map(BigInt))
}

/** EIP-712 data of the charter, for `signTypedData`. Each payee signs it, and so does the evaluator when it seals. */
export function charterTypedData(charter: Charter, charterHash: Hex, plan: EscrowPlan) {
  return {
    domain: escrowDomain(plan.chain_id, plan.escrow as Hex),
    types: charterTypes,
    primaryType: 'Charter',
    message: { planId: plan.plan_id as Hex, version: charter.version, ...partHashesOf(charter), charterHash },
  } as const
}
export type CharterTypedData = ReturnType<typeof charterTypedData>

/**
 * What the client of a goal that is paid by card signs its approvals and vetoes for. No contract has this plan: the server checks
 * the signatures.
 */
export function cardPlan(goalId: string, chainId: number): EscrowPlan {
  return { chain_id: chainId, escrow: `0x${'0'.repeat(40)}`, plan_id: `0x${goalId.slice(-32).padStart(64, '0')}` }
}

/** EIP-712 data of the client's approval of the charter. */
export function charterAuthorizationTypedData(charter: Charter, charterHash: Hex, plan: EscrowPlan) {
  const { domain, message } = charterTypedData(charter, charterHash, plan)
  return { domain, types: charterAuthorizationTypes, primaryType: 'CharterAuthorization', message } as const
}
export type CharterAuthorizationTypedData = ReturnType<typeof charterAuthorizationTypedData>

/** EIP-712 data of the client's veto of a proposed charter. */
export function charterVetoTypedData(plan: EscrowPlan, version: number) {
  return {
    domain: escrowDomain(plan.chain_id, plan.escrow as Hex),
    types: charterVetoTypes,
    primaryType: 'CharterVeto',
    message: { planId: plan.plan_id as Hex, version },
  } as const
}

/** EIP-712 data of a payee's statement that it has submitted a step. Anyone can send it to the chain. */
export function stepSubmissionTypedData(given: {
  readonly plan: EscrowPlan
  readonly version: number
  readonly step: number
  readonly outputs_hash: string
}) {
  const { plan, version, step } = given
  return {
    domain: escrowDomain(plan.chain_id, plan.escrow as Hex),
    types: stepSubmissionTypes,
    primaryType: 'StepSubmission',
    message: { planId: plan.plan_id as Hex, version, bits: 1n << BigInt(step - 1), outputsHash: given.outputs_hash as Hex },
  } as const
}
export type StepSubmissionTypedData = ReturnType<typeof stepSubmissionTypedData>

/** EIP-712 data of a receipt, which the evaluator signs. */
export function submissionTypedData(given: Pick<TaskReceipt, 'plan' | 'charter' | 'bits' | 'outputs_hash' | 'received_at'>) {
  const { plan } = given
  return {
    domain: escrowDomain(plan.chain_id, plan.escrow as Hex),
    types: submissionTypes,
    primaryType: 'Submission',
    message: {
      planId: plan.plan_id as Hex,
      charter: given.charter as Hex,
      bits: BigInt(given.bits),
      outputsHash: given.outputs_hash as Hex,
      receivedAt: given.received_at,
    },
  } as const
}

function partHashesOf(charter: Charter): { stepsHash: Hex; royaltiesHash: Hex } {
  const { steps, royalties } = escrowCharterOf(charter)
  return {
    stepsHash: hashOfTuples(steps.map((step) => [BigInt(step.payee), step.amount])),
    royaltiesHash: hashOfTuples(royalties.map((royalty) => [BigInt(royalty.step), BigInt(royalty.to), BigInt(royalty.bps)])),
  }
}

/** SHA-256 of the canonical list of a task's files, by their hashes in ascending order. */
export async function outputsHash(files: readonly string[]): Promise<Hex> {
  return `0x${await sha256(canonicalBytes([...new Set(files)].sort()))}`
}

/** keccak256(abi.encode(tuples)), for tuples of static fields. */
function hashOfTuples(tuples: readonly (readonly bigint[])[]): Hex {
  return hashOfWords([32n, BigInt(tuples.length), ...tuples.flat()])
}

/** keccak256 of 32-byte words. */
export function hashOfWords(words: readonly bigint[]): Hex {
  const bytes = hexToBytes(words.map((word) => word.toString(16).padStart(64, '0')).join(''))
  return `0x${bytesToHex(keccak_256(bytes))}`
}
