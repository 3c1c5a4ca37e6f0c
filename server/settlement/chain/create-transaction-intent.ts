import type { ChainTransaction as Row } from '../../../prisma/client/client.ts'
import type { Context } from '../../context.ts'
import type { EscrowCall, SignerRole } from '../../ports.ts'
import { traceparentOf } from '../../telemetry/index.ts'
import { clearAlarms } from '../events/alarm.ts'
import { requireNotFrozen } from '../events/freeze.ts'
import { attemptKey, decideNextAttempt } from './retry-policy.ts'
import type { ChainTransaction, Purpose } from './transaction.ts'
import { readTransaction, serializeCall } from './transaction-store.ts'

export type TransactionIntent = {
  /** Says what it does, once. */
  readonly key: string
  readonly purpose: Purpose
  readonly goalId: string | null
  /** The goals of a batch; `goalId` is null then. */
  readonly members?: readonly string[]
  readonly channelId?: string
  readonly call: EscrowCall
  /** How many may be tried in all. A further one is only made when the one before has failed, and after a pause. */
  readonly attempts: number
  /** What is at stake, base units. Unset: what the goal's hold holds. */
  readonly value?: bigint
}
export type IntentResult = { readonly transaction: ChainTransaction } | { readonly refused: string }

/** Whose signature of ours the call carries. */
const signerRoles: { readonly [P in Purpose]?: SignerRole } = { seal: 'evaluator', settle: 'evaluator', rule: 'arbitrator' }

/** Moved by a signature of the client's, which nothing but another one can mend. */
const clientSignedPurposes: readonly Purpose[] = ['fund', 'open', 'top_up']

/**
 * Writes down, in the caller's database transaction, what is to be called: the effect is wanted from its commit on, and
 * nothing was signed or sent. `driveTransaction` brings it on from there. A live or successful attempt at the same effect
 * is answered instead of a new one, and so is a failed one that waits to be followed. The caller has made sure that the
 * chain doesn't show the effect yet. @throws hold.frozen, channel.frozen
 */
export async function createTransactionIntent(tx: Context, input: TransactionIntent): Promise<IntentResult> {
  const { chainId } = tx.market
  const { sender } = tx.ports.rail
  const { members = [] } = input
  await requireNotFrozen(tx, input)
  for (const goalId of members) await requireNotFrozen(tx, { goalId })
  // It may ask a signer, for whom nobody else is to wait: the caller runs in `inTransactionAsking`.
  const { to, data, value, gas } = await tx.ports.rail.encode(input.call)
  const role = signerRoles[input.purpose]
  if (role) await clearAlarms(tx, ['signer'], { subject: role })
  await lockNonce(tx)
  const rows = await findAttempts(tx, input.key)
  const last = rows.map(readTransaction).at(-1)
  const isSameCall = rows.at(-1)?.callData === data
  const next = last ? decideNextAttempt(last, { attempts: input.attempts, isSameCall, now: tx.clock.now() }) : 'new'
  if (last && next === 'wait') return { transaction: last }
  if (last && next === 'no') return { refused: last.failure ?? 'No attempt is left.' }

  const attempt = rows.length + 1
  // A retry goes on counting; whatever else follows an end begins anew.
  const isRetry = last?.state === 'failed_retryable' && last.reopenedAt === null
  // What keeps a funding is the client's to mend: once for each signature.
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
      wish: serializeCall(input.call),
      callTo: to,
      callData: data,
      callWei: value,
      callGas: gas,
      attempt,
      attempts,
      state: 'rail_chosen',
      trace: tx.trace ? traceparentOf(tx.trace) : null,
      createdAt: tx.clock.now(),
    },
  })
  await tx.db.batchedSettlement.createMany({ data: members.map((goalId) => ({ transactionId: row.id, goalId })) })
  return { transaction: readTransaction(row) }
}

/** One at a time for each sender: no two attempts at one effect, and no two transactions with one nonce. */
export async function lockNonce(tx: Context): Promise<number> {
  const { chainId } = tx.market
  const { sender } = tx.ports.rail
  await tx.db.chainNonce.createMany({ data: [{ chainId, sender, next: 0 }], skipDuplicates: true })
  const [nonce] = await tx.db.$queryRaw<{ next: number }[]>`
    select "next" from "chain_nonce" where "chainId" = ${chainId} and "sender" = ${sender} for update`
  return nonce?.next ?? 0
}

/** All that was tried under a key, oldest first. */
export async function listAttempts(ctx: Context, key: string): Promise<ChainTransaction[]> {
  return (await findAttempts(ctx, key)).map(readTransaction)
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
