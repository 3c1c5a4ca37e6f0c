import type { ChainTransaction as Row } from '../../../prisma/client/client.ts'
import type { Context } from '../../context.ts'
import type { EscrowCall, SignerRole } from '../../ports.ts'
import { formatTraceparent } from '../../telemetry/index.ts'
import { clearAlarms } from '../alarms/operator-alarms.ts'
import { requireNotFrozen } from '../chain-events/frozen-subjects.ts'
import { attemptKey, decideNextAttempt } from './decide-next-attempt.ts'
import type { ChainTransaction, Purpose } from './transaction.ts'
import { chainTransactionFromRow, serializeCall } from './transaction-store.ts'

export type TransactionIntent = {
  /** Idempotency key of the effect. */
  readonly key: string
  readonly purpose: Purpose
  readonly goalId: string | null
  /** The goals of a batch; then `goalId` is null. */
  readonly members?: readonly string[]
  readonly channelId?: string
  readonly call: EscrowCall
  /** Maximum number of attempts in total. A new attempt starts only after the previous one has failed, and after a delay. */
  readonly attempts: number
  /** Amount at stake, in base units. Unset: the total of the goal's hold. */
  readonly value?: bigint
}
export type IntentResult = { readonly transaction: ChainTransaction } | { readonly refused: string }

/** The server's key that must sign inside the call. */
const signerRoles: { readonly [P in Purpose]?: SignerRole } = { seal: 'evaluator', settle: 'evaluator', rule: 'arbitrator' }

/** These calls carry the client's signature. Only a new signature can correct them. */
const clientSignedPurposes: Purpose[] = ['fund', 'open', 'top_up']

/**
 * Records a transaction intent in the caller's database transaction (transactional outbox). Nothing is signed or sent yet;
 * `processTransaction` continues after the commit. If an attempt with the same key is pending, has succeeded or waits for its
 * retry, returns that attempt. The caller has checked that the chain does not show the effect yet.
 * @throws hold.frozen, channel.frozen
 */
export async function createTransactionIntent(tx: Context, input: TransactionIntent): Promise<IntentResult> {
  const { chainId } = tx.market
  const { sender } = tx.ports.rail
  const { members = [] } = input
  await requireNotFrozen(tx, input)
  for (const goalId of members) await requireNotFrozen(tx, { goalId })
  // Encoding may call a remote signer while locks are held, so callers use `inRestartableDatabaseTransaction`.
  const { to, data, value, gas } = await tx.ports.rail.encode(input.call)
  const role = signerRoles[input.purpose]
  if (role) await clearAlarms(tx, ['signer'], { subject: role })
  await lockNonce(tx)
  const rows = await findAttempts(tx, input.key)
  const last = rows.map(chainTransactionFromRow).at(-1)
  const isSameCall = rows.at(-1)?.callData === data
  const next = last ? decideNextAttempt(last, { attempts: input.attempts, isSameCall, now: tx.clock.now() }) : 'new'
  if (last && next === 'wait') return { transaction: last }
  if (last && next === 'no') return { refused: last.failure ?? 'All attempts were used.' }

  const attempt = rows.length + 1
  // A retry keeps the attempt count. A new attempt after any other end starts a new count.
  const isRetry = last?.state === 'failed_retryable' && last.reopenedAt === null
  // Only the client can correct a failed funding, so each signature allows one attempt.
  const more = clientSignedPurposes.includes(input.purpose) ? 0 : input.attempts - 1
  const attempts = isRetry ? last.attempts : attempt + more
  const hold = input.goalId === null ? null : await tx.db.hold.findUnique({ where: { goalId: input.goalId }, select: { total: true } })
  const row = await tx.db.chainTransaction.create({
    data: {
      id: tx.ids.uuid(),
      key: attemptKey(input.key, attempt),
      purpose: input.purpose,
      goalId: input.goalId,
      channelId: input.channelId ?? null,
      chainId,
      sender,
      value: input.value ?? hold?.total ?? 0n,
      intent: serializeCall(input.call),
      callTo: to,
      callData: data,
      callWei: value,
      callGas: gas,
      attempt,
      attempts,
      state: 'rail_chosen',
      traceparent: tx.trace ? formatTraceparent(tx.trace) : null,
      createdAt: tx.clock.now(),
    },
  })
  await tx.db.batchedSettlement.createMany({ data: members.map((goalId) => ({ transactionId: row.id, goalId })) })
  return { transaction: chainTransactionFromRow(row) }
}

/** Locks the sender's nonce row. This serializes attempts at one effect and the allocation of nonces. */
export async function lockNonce(tx: Context): Promise<number> {
  const { chainId } = tx.market
  const { sender } = tx.ports.rail
  await tx.db.chainNonce.createMany({ data: [{ chainId, sender, next: 0 }], skipDuplicates: true })
  const [nonce] = await tx.db.$queryRaw<{ next: number }[]>`
    select "next" from "chain_nonce" where "chainId" = ${chainId} and "sender" = ${sender} for update`
  return nonce?.next ?? 0
}

/** All attempts with this key, oldest first. */
export async function listAttempts(ctx: Context, key: string): Promise<ChainTransaction[]> {
  return (await findAttempts(ctx, key)).map(chainTransactionFromRow)
}

async function findAttempts(ctx: Context, key: string): Promise<Row[]> {
  return ctx.db.chainTransaction.findMany({
    where: { OR: [{ key }, { key: { startsWith: `${key}#` } }] },
    orderBy: [{ attempt: 'asc' }, { createdAt: 'asc' }],
  })
}

export async function countAttempts(ctx: Context, key: string): Promise<number> {
  return (await findAttempts(ctx, key)).length
}

/**
 * Allows one more attempt with the same signature. After a reorganization: an attempt may have failed only because another account had sent
 * the same call in a block that is now removed.
 */
export async function reopenClientSigned(tx: Context, of: { readonly goalIds: string[]; readonly channelIds: string[] }): Promise<void> {
  const subjects = [{ goalId: { in: of.goalIds } }, { channelId: { in: of.channelIds } }]
  await tx.db.chainTransaction.updateMany({
    where: { state: 'failed_final', purpose: { in: clientSignedPurposes }, reopenedAt: null, OR: subjects },
    data: { reopenedAt: tx.clock.now() },
  })
}
