import type { Context } from '../../context.ts'
import { type ChainLogView, listEvents } from '../chain/get-chain-transaction.ts'
import { type CardHold, isFunded } from './hold.ts'
import { loadHoldForDisplay } from './hold-store.ts'
import { isQuoted } from './quoted-charter.ts'

type OnChain = { readonly rail: 'escrow'; readonly chainId: number; readonly escrow: string; readonly planId: string }
type OnCard = { readonly rail: 'stripe'; readonly chainId: null; readonly escrow: null; readonly planId: null }

/**
 * Settlement proof of a goal: the escrow's events, which anyone can check against the chain and the transcript. The card rail has
 * no public log, so the proof contains what Stripe reported.
 */
export type SettlementProof = (OnChain | OnCard) & {
  readonly goalId: string
  readonly charterVersion: number
  readonly charterHash: string | null
  /** Whether the client approved the charter on chain. Otherwise it was proposed, and the client could veto it. */
  readonly charterAuthorized: boolean
  readonly sealedTx: string | null
  readonly conclusionHash: string | null
  readonly fundedTx: string | null
  /** The transaction that closed the plan. */
  readonly settledTx: string | null
  readonly logs: readonly ChainLogView[]
}

/** @throws hold.not_found */
export async function getSettlementProof(ctx: Context, goalId: string): Promise<SettlementProof> {
  const hold = await loadHoldForDisplay(ctx, goalId)
  if (hold.rail === 'stripe') return cardProof(hold)
  const { rail, chainId, escrow, planId } = hold
  const logs = await listEvents(ctx, { planId })
  const last = (name: string) => logs.findLast((log) => log.name === name)
  const arg = (log: ChainLogView | undefined, name: string) => (log?.args as { readonly [name: string]: unknown } | undefined)?.[name]
  const text = (value: unknown) => (value === undefined ? null : String(value))
  const sealed = last('PlanSealed')
  const funded = last('PlanFunded')
  // The charter of a quoted goal is in the terms: the client authorized it by the funding.
  const quoted = isQuoted(hold) && isFunded(hold) ? hold.charter : null
  return {
    rail,
    goalId,
    chainId,
    escrow,
    planId,
    charterVersion: Number(arg(sealed, 'version') ?? 0),
    charterHash: quoted?.hash ?? text(arg(sealed, 'charterHash')),
    charterAuthorized: quoted !== null || (sealed !== undefined && Number(arg(sealed, 'payableFrom')) === 0),
    sealedTx: (quoted ? funded : sealed)?.txHash ?? null,
    conclusionHash: text(arg(last('StepsSettled'), 'conclusionHash')),
    fundedTx: funded?.txHash ?? null,
    settledTx: last('PlanClosed')?.txHash ?? null,
    logs,
  }
}

function cardProof(hold: CardHold): SettlementProof {
  const funded = isFunded(hold) ? hold : null
  return {
    rail: hold.rail,
    goalId: hold.goalId,
    chainId: null,
    escrow: null,
    planId: null,
    charterVersion: funded?.charter?.version ?? 0,
    charterHash: funded?.charter?.hash ?? null,
    charterAuthorized: false,
    sealedTx: null,
    conclusionHash: 'conclusionHash' in hold ? hold.conclusionHash : null,
    fundedTx: funded?.fundedTx ?? null,
    settledTx: 'settledTx' in hold ? hold.settledTx : null,
    logs: [],
  }
}
