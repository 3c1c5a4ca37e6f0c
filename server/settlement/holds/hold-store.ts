import type { EscrowCharter } from '@parley/protocol'
import { z } from 'zod'
import { silenceFlags } from '../../../contracts/abi/index.ts'
import type { Hold as Row } from '../../../prisma/client/client.ts'
import type { Context } from '../../context.ts'
import { Prisma } from '../../db.ts'
import { versionConflict } from '../../errors.ts'
import type { EscrowMemberSignature } from '../../ports.ts'
import { holdNotFound } from '../errors.ts'
import { type CardTerms, type Hold, isFunded } from './hold.ts'

type Hex = `0x${string}`

/** Payout states in which the payee received something. */
export const paidStates = ['paid', 'credited', 'split'] as const

/** The values were validated before they were written. */
const hex = (text: string): Hex => text as Hex
const noAuthorizer: Hex = `0x${'0'.repeat(40)}`
const daySeconds = 86_400
const zeroHash: Hex = `0x${'0'.repeat(64)}`

/** A charter as the teams module handed it over. */
export type HoldCharterStep = {
  readonly step: number
  readonly payee: Hex
  readonly amount: bigint
  readonly agentId: string
  /** Royalties: shares of the payee's amount for others, in basis points. */
  readonly royalties?: readonly { readonly to: Hex; readonly bps: number }[]
}
export type HoldCharter = {
  readonly goalId: string
  readonly version: number
  readonly hash: Hex
  readonly steps: readonly HoldCharterStep[]
  /** One per payee, in order of first appearance; empty if the payee joined without a key. None on the card rail. */
  readonly memberSignatures: readonly EscrowMemberSignature[]
  readonly createdAt: Date
  /** The client's approval; null without one. */
  readonly authorization: EscrowMemberSignature | null
  /** The client's veto; null without one. */
  readonly veto: EscrowMemberSignature | null
  /** When to seal it separately; null if it is sealed with its settlement. */
  readonly sealDueAt: Date | null
}

const StoredSteps = z.array(
  z.object({
    step: z.number(),
    payee: z.string().transform(hex),
    amount: z.string().regex(/^\d+$/).transform(BigInt),
    agentId: z.string(),
    royalties: z.array(z.object({ to: z.string().transform(hex), bps: z.number() })).default([]),
  }),
)
const StoredMemberSignatures = z.array(z.object({ signer: z.string().transform(hex), signature: z.string().transform(hex) }))
const StoredAuthorization = z.object({
  validAfter: z.number(),
  validBefore: z.number(),
  signature: z.string().transform(hex),
  attempt: z.number(),
})

/** @throws hold.not_found */
export async function loadHold(ctx: Context, goalId: string): Promise<Hold> {
  const row = await ctx.db.hold.findUnique({ where: { goalId } })
  if (!row) throw holdNotFound(goalId)
  return readHold(row)
}

/** As `loadHold`, for display: treats an unreadable authorization as none. @throws hold.not_found */
export async function loadHoldForDisplay(ctx: Context, goalId: string): Promise<Hold> {
  const row = await ctx.db.hold.findUnique({ where: { goalId } })
  if (!row) throw holdNotFound(goalId)
  return readHold(row, (stored) => StoredAuthorization.safeParse(stored).data ?? null)
}

/** As `loadHold`, but locks the row until this transaction ends. */
export async function lockHold(tx: Context, goalId: string): Promise<Hold> {
  await tx.db.$queryRaw`select 1 from "hold" where "goalId" = ${goalId} for update`
  return loadHold(tx, goalId)
}

export async function saveHold(tx: Context, hold: Hold): Promise<Hold> {
  const { count } = await tx.db.hold.updateMany({
    where: { goalId: hold.goalId, version: hold.version },
    data: { ...stateColumns(hold), version: hold.version + 1, updatedAt: tx.clock.now() },
  })
  if (count === 0) throw versionConflict('The hold')
  return { ...hold, version: hold.version + 1 }
}

/** The columns of a state. Columns that the state does not have are null. */
export function stateColumns(hold: Hold) {
  return {
    state: hold.state,
    authorization: (hold.state === 'authorizing' && hold.authorization) || Prisma.DbNull,
    failure: 'failure' in hold ? hold.failure : null,
    fundedTx: isFunded(hold) ? hold.fundedTx : null,
    charterVersion: isFunded(hold) ? (hold.charter?.version ?? 0) : 0,
    charterHash: isFunded(hold) ? (hold.charter?.hash ?? null) : null,
    captureBits: 'bits' in hold ? hold.bits : null,
    captureHalves: 'halves' in hold ? hold.halves : null,
    conclusionHash: 'conclusionHash' in hold ? hold.conclusionHash : null,
    settledTx: 'settledTx' in hold ? hold.settledTx : null,
    disputeBy: isFunded(hold) ? hold.disputeBy : null,
  }
}

function readAgreed(row: Row) {
  const { goalId, asset, createdAt, version } = row
  const terms: CardTerms = {
    client: hex(row.client),
    total: row.total,
    workBy: row.workBy,
    reviewBy: row.reviewBy,
    expiry: row.expiry,
    feeBps: row.feeBps,
    feeTo: hex(row.feeTo),
    evaluator: hex(row.evaluator),
    // Card goals of an earlier version have none of the two: only the client's wallet approves, and the window is the default.
    authorizer: hex(row.authorizer ?? noAuthorizer),
    vetoSeconds: row.vetoSeconds ?? daySeconds,
    // In card goals of an earlier version silence pays.
    onSilence: row.onSilence ?? silenceFlags.pays,
    charter: hex(row.termsCharter ?? zeroHash),
    briefHash: hex(row.briefHash),
  }
  if (row.rail === 'stripe') return { goalId, asset, createdAt, version, rail: row.rail, terms }
  return {
    goalId,
    asset,
    createdAt,
    version,
    rail: row.rail,
    planId: requireColumn(row.planId, 'planId'),
    chainId: row.chainId ?? 0,
    escrow: requireColumn(row.escrow, 'escrow'),
    terms: {
      ...terms,
      token: requireColumn(row.token, 'token'),
      arbitrator: requireColumn(row.arbitrator, 'arbitrator'),
      authorizer: requireColumn(row.authorizer, 'authorizer'),
      vetoSeconds: row.vetoSeconds ?? 0,
      salt: BigInt(row.salt ?? 0),
    },
  }
}

type ReadAuthorization = (stored: unknown) => z.infer<typeof StoredAuthorization> | null

function readHold(row: Row, readAuthorization: ReadAuthorization = (stored) => StoredAuthorization.parse(stored)): Hold {
  const agreed = readAgreed(row)
  if (row.state === 'authorizing')
    return { ...agreed, state: row.state, authorization: row.authorization === null ? null : readAuthorization(row.authorization) }
  if (row.state === 'failed') return { ...agreed, state: row.state, failure: row.failure ?? '' }
  const charter = row.charterHash === null ? null : { version: row.charterVersion, hash: hex(row.charterHash) }
  const funded = { ...agreed, fundedTx: requireColumn(row.fundedTx, 'fundedTx'), charter, failure: row.failure, disputeBy: row.disputeBy }
  const concluded = () => ({ ...funded, conclusionHash: requireColumn(row.conclusionHash, 'conclusionHash') })
  const paid = { bits: row.captureBits ?? 0n, halves: row.captureHalves ?? 0n }
  const settled = () => ({ settledTx: requireColumn(row.settledTx, 'settledTx') })
  switch (row.state) {
    case 'authorized':
      return { ...funded, state: row.state }
    case 'capturing':
      return { ...concluded(), state: row.state, ...paid }
    case 'captured':
    case 'refunding':
    case 'refunded':
      return { ...concluded(), ...settled(), state: row.state, ...paid }
    case 'voiding':
      return { ...concluded(), state: row.state }
    case 'voided':
      return { ...concluded(), ...settled(), state: row.state }
    case 'reclaimed':
      return { ...funded, ...settled(), state: row.state }
    default:
      return row.state satisfies never
  }
}

function requireColumn(value: string | null, column: string): Hex {
  if (value === null) throw new Error(`a hold in this state has no ${column}`)
  return hex(value)
}

/** The charters of a goal, newest first. */
export async function listCharters(ctx: Context, goalId: string): Promise<HoldCharter[]> {
  const where = { goalId }
  const rows = await ctx.db.holdCharter.findMany({ where, orderBy: { version: 'desc' } })
  if (rows.length === 0) return []
  const authorizations = await ctx.db.charterAuthorization.findMany({ where })
  const vetoes = await ctx.db.charterVeto.findMany({ where })
  const sealings = await ctx.db.charterSealing.findMany({ where })
  const signed = (row: { signer: string; signature: string } | undefined) =>
    row ? { signer: hex(row.signer), signature: hex(row.signature) } : null
  return rows.map((row) => ({
    goalId: row.goalId,
    version: row.version,
    hash: hex(row.charterHash),
    steps: StoredSteps.parse(row.steps),
    memberSignatures: StoredMemberSignatures.parse(row.memberSignatures),
    createdAt: row.createdAt,
    authorization: signed(authorizations.find((one) => one.version === row.version)),
    // A veto of an approved version concerns a foreign proposal: see `verifyVeto`.
    veto: authorizations.some((one) => one.version === row.version) ? null : signed(vetoes.find((one) => one.version === row.version)),
    sealDueAt: sealings.find((one) => one.version === row.version)?.dueAt ?? null,
  }))
}

/** The charter as the escrow takes it: steps by position, royalties in the order of their steps. */
export function escrowCharter(charter: HoldCharter | null): EscrowCharter {
  const steps = [...(charter?.steps ?? [])].sort((a, b) => a.step - b.step)
  return {
    steps: steps.map(({ payee, amount }) => ({ payee, amount })),
    royalties: steps.flatMap(({ royalties = [] }, step) => royalties.map(({ to, bps }) => ({ step, to, bps }))),
    charterHash: charter?.hash ?? zeroHash,
  }
}
