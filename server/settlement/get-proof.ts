import type { Context } from '../context.ts'
import { type ChainLogView, listEvents } from './get-chain-transaction.ts'
import { onEscrow } from './hold.ts'
import { loadHold } from './store.ts'

/** What the escrow's own log says about a goal: enough to check it against the chain and the transcript. */
export type Proof = {
  readonly goalId: string
  readonly chainId: number
  readonly escrow: string
  readonly planId: string
  readonly charterVersion: number
  readonly charterHash: string | null
  readonly sealedTx: string | null
  readonly conclusionHash: string | null
  readonly fundedTx: string | null
  /** The transaction that closed the plan. */
  readonly settledTx: string | null
  readonly logs: readonly ChainLogView[]
}

/** @throws hold.not_found */
export async function getProof(ctx: Context, goalId: string): Promise<Proof> {
  const { chainId, escrow, planId } = onEscrow(await loadHold(ctx, goalId))
  const logs = await listEvents(ctx, { planId })
  const last = (name: string) => logs.findLast((log) => log.name === name)
  const arg = (log: ChainLogView | undefined, name: string) => (log?.args as { readonly [name: string]: unknown } | undefined)?.[name]
  const text = (value: unknown) => (value === undefined ? null : String(value))
  const sealed = last('PlanSealed')
  return {
    goalId,
    chainId,
    escrow,
    planId,
    charterVersion: Number(arg(sealed, 'version') ?? 0),
    charterHash: text(arg(sealed, 'charterHash')),
    sealedTx: sealed?.txHash ?? null,
    conclusionHash: text(arg(last('StepsSettled'), 'conclusionHash')),
    fundedTx: last('PlanFunded')?.txHash ?? null,
    settledTx: last('PlanClosed')?.txHash ?? null,
    logs,
  }
}
