import { callChainRpc } from '../../../../explorer/_chain/call-chain-rpc.ts'
import { readSettlementFromReceipt } from './read-settlement-from-receipt.ts'

type Proof = { readonly settledTx: string | null; readonly conclusionHash: string | null } & (
  | { readonly rail: 'escrow'; readonly escrow: string; readonly planId: string }
  | { readonly rail: 'stripe' }
)
export type Expected = { readonly expected: string | null; readonly tx: string | null; readonly isFromChain: boolean }

/** A hold that ended without a conclusion has no hash. */
const none = /^0x0{64}$/

/** The hash in the payment: from the chain's receipt if the page can query it, otherwise from the server. */
export async function readPaidConclusionHash(proof: Proof, market: { readonly isLocalChain: boolean }): Promise<Expected> {
  const tx = proof.settledTx
  if (tx === null) return { expected: null, tx, isFromChain: false }
  const found =
    market.isLocalChain && proof.rail === 'escrow'
      ? readSettlementFromReceipt(await callChainRpc('eth_getTransactionReceipt', [tx]), proof)
      : null
  const hash = found?.conclusionHash ?? proof.conclusionHash
  return { expected: hash === null || none.test(hash) ? null : hash, tx, isFromChain: found !== null }
}
