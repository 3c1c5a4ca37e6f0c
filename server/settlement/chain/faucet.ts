import { actingAs, type Context } from '../../context.ts'
import type { EscrowCall } from '../../ports.ts'
import { chainUnavailable, faucetRefused, faucetTooMuch } from '../errors.ts'
import { createTransactionIntent } from './create-transaction-intent.ts'
import { processTransaction } from './process-transaction.ts'
import { inRestartableDatabaseTransaction } from './restartable-database-transaction.ts'
import { verifyNetwork } from './verify-network.ts'

/** Maximum that the test token mints in one call: 1,000 tokens. */
const maxAmount = 1_000_000_000n
/** A wallet with less ether than `minWei` receives `giftWei`, enough for a few transactions. */
const minWei = 50_000_000_000_000_000n
const giftWei = 100_000_000_000_000_000n

/**
 * Sends test tokens, and a little ether for gas, on a local chain. Each wallet receives them once a day. A repeated request
 * returns the first transaction.
 */
export async function faucet(ctx: Context, address: `0x${string}`, amount: bigint): Promise<{ tx: `0x${string}` }> {
  const isKnown = ctx.actor.kind === 'person' || ctx.actor.kind === 'system'
  if (!ctx.market.isLocalChain || !isKnown) throw faucetRefused()
  if (amount <= 0n || amount > maxAmount) throw faucetTooMuch(amount, maxAmount)
  const to = address.toLowerCase() as `0x${string}`
  await verifyNetwork(ctx)
  const minted = await sendOnce(ctx, `mint:${to}`, { kind: 'mint', to, amount })
  if ((await ctx.ports.rail.etherOf(to)) < minWei) await sendOnce(ctx, `ether:${to}`, { kind: 'sendEther', to, wei: giftWei })
  return { tx: minted }
}

async function sendOnce(ctx: Context, what: string, call: EscrowCall): Promise<`0x${string}`> {
  const day = ctx.clock.now().toISOString().slice(0, 10)
  const system = actingAs(ctx, { kind: 'system', name: 'chain' })
  const prepared = await inRestartableDatabaseTransaction(system, (tx) =>
    createTransactionIntent(tx, { key: `${what}:${day}`, purpose: 'faucet', goalId: null, call, attempts: 3 }),
  )
  if ('refused' in prepared) throw chainUnavailable(prepared.refused)
  const { hash, failure } = await processTransaction(system, prepared.transaction)
  if (hash === null || failure !== null) throw chainUnavailable(failure)
  return hash
}
