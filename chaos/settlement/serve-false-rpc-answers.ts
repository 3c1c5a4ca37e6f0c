import { setTimeout as pause } from 'node:timers/promises'
import { callChain } from '../../server/embedded/chain/anvil.ts'
import { listAlarms } from '../../server/settlement/index.ts'
import { falseRpcAnswerOf, type LieKind } from './false-rpc-answers.ts'
import { confirmations } from './mine-and-disrupt-chain.ts'
import type { RunContext } from './run-context.ts'
import { pollUntil, retryUntilDone } from './test-environment.ts'
import { emitUnrelatedEvent } from './unrelated-accounts.ts'

/** How long a node answers falsely, after every process has begun a round with it. */
const lieMs = 2_500
const graceMs = 25_000
type Standing = { readonly offers: number; readonly booked: number; readonly final: number; readonly cursor: number }

/**
 * One of two nodes, mostly the second, answers falsely for a while. Nothing may be signed, booked or treated as final on the answer of only
 * one node. True if the server has detected it.
 */
export async function serveFalseRpcAnswers(run: RunContext, kind: LieKind): Promise<boolean> {
  const { chain, slots, random } = run
  if (slots.some((slot) => slot.workerNodes !== 2)) return false
  const release = await chain.hold()
  const which = random() < 0.7 ? 1 : 0
  let goOn = () => {}
  try {
    if ((await pollUntil(graceMs, () => isReorgHandled(run))) === null) return false
    const { lie, head } = await falseRpcAnswerOf(kind, await factsOf(run))
    goOn = run.progress.standStill()
    for (const slot of slots) slot.nodes[which].rewrite = lie
    if (!(await allInNewRound(run))) return false
    const before = await retryUntilDone(() => standingOf(run))
    // A fact to be withheld.
    if (kind === 'lie_withheld_logs') await emitUnrelatedEvent(run)
    const noticed = await isNoticed(run, kind, head)
    const after = await retryUntilDone(() => standingOf(run))
    for (const what of movedUnder(kind, { before, after, head })) run.violations.push(`${what} while a node told: ${kind}`)
    if (run.violations.length > 0) await logBooked(run, before)
    return noticed
  } finally {
    for (const slot of slots) slot.nodes[which].rewrite = () => undefined
    goOn()
    release()
  }
}

/** The index is on the node's own chain: undoing an earlier reorganization is no effect of a false answer. */
async function isReorgHandled({ system, environment }: RunContext): Promise<boolean> {
  const { chainId } = system.market
  const { block, blockHash } = await system.db.chainCursor.findUniqueOrThrow({ where: { chainId } })
  const found = (await callChain(environment.rpcUrl, 'eth_getBlockByNumber', [`0x${block.toString(16)}`, false])) as { hash: string } | null
  return found?.hash === blockHash
}

/** Names the bookings since then, so that a violation can be traced. */
async function logBooked({ system, log }: RunContext, before: Standing): Promise<void> {
  const { asset } = system.market
  const where = { entries: { some: { asset } } }
  const newest = await retryUntilDone(() => system.db.ledgerTransfer.findMany({ where, orderBy: { seq: 'desc' }, take: 20 }))
  const total = await retryUntilDone(() => system.db.ledgerTransfer.count({ where }))
  const since = newest.slice(0, Math.max(0, total - before.booked))
  log(`booked since: ${since.map(({ key, tx }) => `${key} (${tx})`).join(', ')}`)
}

async function factsOf({ system, environment }: RunContext): Promise<Parameters<typeof falseRpcAnswerOf>[1]> {
  const waiting = { state: { in: ['authorizing' as const, 'authorized' as const, 'capturing' as const] }, rail: 'escrow' as const }
  const hold = (await retryUntilDone(() => system.db.hold.findFirst({ where: waiting, orderBy: { updatedAt: 'desc' } }))) ?? null
  const planId = (hold?.planId ?? `0x${'07'.repeat(32)}`) as `0x${string}`
  const client = (hold?.client ?? environment.escrow) as `0x${string}`
  return { rpcUrl: environment.rpcUrl, escrow: environment.escrow, token: environment.token, planId, client }
}

/** A round may still use answers from before the fault: waits until each process has begun two more. */
async function allInNewRound({ slots }: RunContext): Promise<boolean> {
  const then = slots.map(({ worker }) => ({ worker, rounds: worker?.rounds() ?? 0 }))
  const isNew = then.map(({ worker, rounds }, at) => async () => {
    const now = slots[at]?.worker ?? null
    return now !== worker || (now?.rounds() ?? 0) >= rounds + 2
  })
  for (const probe of isNew) if ((await pollUntil(graceMs, probe)) === null) return false
  // Mines one more block, about which a node can answer falsely.
  await pause(400)
  return true
}

async function standingOf({ system }: RunContext): Promise<Standing> {
  const { chainId, asset } = system.market
  return {
    offers: await system.db.signedTransaction.count(),
    booked: await system.db.ledgerTransfer.count({ where: { entries: { some: { asset } } } }),
    final: await system.db.chainTransaction.count({ where: { finalAt: { not: null } } }),
    cursor: (await system.db.chainCursor.findUniqueOrThrow({ where: { chainId } })).block,
  }
}

/** An alarm is raised; or, for a stopped node, no block above it counts while the other node continues. */
async function isNoticed({ system, chain }: RunContext, kind: LieKind, head: number): Promise<boolean> {
  const since = Date.now()
  const isNotified = async () =>
    kind === 'lie_stale_head'
      ? (await chain.head()) > head + confirmations + 3
      : (await listAlarms(system)).some((one) => one.kind === 'nodes_disagree')
  const noticed = await pollUntil(2 * lieMs, isNotified)
  await pause(Math.max(0, lieMs - (Date.now() - since)))
  return noticed !== null
}

/** What must not change under each kind of false answer: its subject, and the decisions that depend on it. */
function movedUnder(kind: LieKind, { before, after, head }: { before: Standing; after: Standing; head: number }): string[] {
  const moved: string[] = []
  const all = kind === 'lie_forged_logs' || kind === 'lie_other_chain'
  if (all && after.offers > before.offers) moved.push(`${after.offers - before.offers} transactions were signed`)
  if ((all || kind === 'lie_withheld_logs') && after.booked !== before.booked) moved.push('the ledger moved')
  if ((all || kind === 'lie_forged_receipts') && after.final > before.final) moved.push('a transaction became final')
  if (kind === 'lie_stale_head' && after.cursor > head - confirmations) moved.push('blocks above the lower head were read')
  return moved
}
