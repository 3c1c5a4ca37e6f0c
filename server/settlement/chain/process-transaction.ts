import { actingAs, type Context } from '../../context.ts'
import type { ChainReceipt } from '../../ports.ts'
import { clearAlarms, raiseAlarm } from '../events/alarm.ts'
import { reached } from '../events/failpoint.ts'
import { type Answer, offerBytes } from './broadcast.ts'
import { mustCancel } from './cancel-policy.ts'
import { finalBlock } from './finalized-block.ts'
import { replaceCandidate, signTransaction } from './sign-transaction.ts'
import { type Candidate, type ChainTransaction, confirmationsFor, isBuried, isLive, isMined } from './transaction.ts'
import { listCandidates, noteSighting } from './transaction-store.ts'

/** One transaction, as far as it goes now. */
export async function driveTransaction(ctx: Context, transaction: ChainTransaction): Promise<ChainTransaction> {
  const system = actingAs(ctx, { kind: 'system', name: 'chain' })
  const { rail } = system.ports
  let current = transaction
  if (current.state === 'intent' || current.state === 'rail_chosen') current = await signTransaction(system, current)
  if (!isLive(current) || current.nonce === null) return current
  const candidates = await listCandidates(system, current.id)
  let receipt = await findReceipt(system, candidates)
  if (isMined(current) && receipt?.blockHash !== current.blockHash) current = await noteSighting(system, current, { type: 'vanished' })
  if (!receipt) {
    const sent = await send(system, current, candidates)
    current = sent.transaction
    receipt = sent.receipt
  }
  if (!receipt || !isLive(current)) return current
  await reached(system, 'mined')
  current = await noteSighting(system, current, { type: 'mined', receipt })
  await reached(system, 'seen')
  const head = await rail.head()
  if (!isBuried(receipt.block, head.number, confirmationsFor(current.value, rail))) return current
  if (receipt.block > (await finalBlock(rail, head.number))) return current
  if ((await rail.blockHash(receipt.block)) !== receipt.blockHash || current.state !== 'seen') return current
  const isCancelled = (await listCandidates(system, current.id)).some((one) => one.isCancel && one.hash === receipt.hash)
  current = await noteSighting(system, current, { type: isCancelled ? 'cancelled' : 'settled', receipt, at: system.clock.now() })
  await clearAlarms(system, ['stuck_nonce', 'fee_cap', 'transaction_cap'], { subject: current.key })
  await reached(system, 'final')
  return current
}

type Sent = { readonly transaction: ChainTransaction; readonly receipt: ChainReceipt | null }

/** Hands the newest bytes to the node, and offers more where that is what it waits for. */
async function send(ctx: Context, transaction: ChainTransaction, candidates: readonly Candidate[]): Promise<Sent> {
  const [newest] = candidates
  if (!newest) throw new Error(`transaction ${transaction.key} has a nonce and no bytes`)
  const answer = await offerBytes(ctx, transaction.key, newest)
  await reached(ctx, answer === 'known' || answer === 'nonce_used' ? answer : 'sent')
  const receipt = await findReceipt(ctx, candidates)
  if (receipt) return { transaction, receipt }
  if (answer === 'nonce_used') return { transaction: await displace(ctx, transaction, candidates), receipt: null }
  if (answer === 'refused') ctx.log.warn({ key: transaction.key, hash: newest.hash }, 'the node does not take a transaction of ours')
  const isTaken = answer === 'sent' || answer === 'known'
  const submitted = isTaken ? await noteSighting(ctx, transaction, { type: 'broadcast' }) : transaction
  const next = await nextOffer(ctx, { ...submitted, hash: newest.hash }, candidates, answer)
  if (next === null) return { transaction: submitted, receipt: null }
  const dearer = await replaceCandidate(ctx, { ...submitted, hash: newest.hash }, next === 'cancel')
  if (!dearer) return { transaction: submitted, receipt: null }
  const second = await offerBytes(ctx, submitted.key, dearer)
  const renewed = { ...submitted, hash: dearer.hash }
  if (second !== 'sent' && second !== 'known') return { transaction: renewed, receipt: null }
  const noted = await noteSighting(ctx, renewed, { type: 'broadcast' })
  return { transaction: noted, receipt: await findReceipt(ctx, [dearer, ...candidates]) }
}

/** What is offered for the nonce beside what was: the same effect for more, or none at all. Null: nothing more yet. */
async function nextOffer(
  ctx: Context,
  transaction: ChainTransaction,
  candidates: readonly Candidate[],
  answer: Answer,
): Promise<'more' | 'cancel' | null> {
  const { cancelAfterMs, replaceAfterMs } = ctx.ports.rail
  const [newest] = candidates
  if (!newest) return null
  const now = ctx.clock.now()
  // One from the future was dated by a clock that was wrong.
  const isOverdue = Math.abs(now.getTime() - newest.createdAt.getTime()) >= replaceAfterMs
  const isAsked = transaction.cancelAskedAt !== null
  if (!isOverdue && !isAsked && answer !== 'underpriced') return null
  const next = (isOverdue || isAsked) && (await isNext(ctx, transaction))
  if (mustCancel({ transaction, candidates, isNext: next, now, cancelAfterMs })) {
    await raiseAlarm(ctx, { kind: 'stuck_nonce', subject: transaction.key, facts: { nonce: transaction.nonce ?? 0, offers: newest.n } })
    return 'cancel'
  }
  if (answer !== 'underpriced' && !(isOverdue && next)) return null
  // What was given up stays so: the call is never offered for more again.
  return newest.isCancel ? 'cancel' : 'more'
}

/** What the chain made of any of them: the node may have taken an older one than the newest that it was given. */
async function findReceipt(ctx: Context, candidates: readonly Candidate[]): Promise<ChainReceipt | null> {
  for (const { hash } of candidates) {
    const receipt = await ctx.ports.rail.receipt(hash)
    if (receipt) return receipt
  }
  return null
}

/** Whether it is the one that the chain waits for: those behind it wait for it, and paying more would not help them. */
async function isNext(ctx: Context, transaction: ChainTransaction): Promise<boolean> {
  return (await ctx.ports.rail.chainNonce()) === transaction.nonce
}

/**
 * The node says that the nonce is taken and knows no transaction of ours with it. A node that lags behind says so too, and
 * what took it may still be taken back: the count is asked as far below the head as final is, and the receipts once more.
 */
async function displace(ctx: Context, transaction: ChainTransaction, candidates: readonly Candidate[]): Promise<ChainTransaction> {
  const { rail } = ctx.ports
  const count = await rail.chainNonce(confirmationsFor(transaction.value, rail))
  if (transaction.nonce === null || count <= transaction.nonce || (await findReceipt(ctx, candidates))) return transaction
  ctx.log.warn({ key: transaction.key, nonce: transaction.nonce }, 'another transaction took the nonce')
  return noteSighting(ctx, transaction, { type: 'displaced' })
}
