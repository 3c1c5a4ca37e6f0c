import { toFunctionSelector } from 'viem'
import { voucherChannelsAbi } from '../../contracts/abi/index.ts'
import { callChain } from '../../server/embedded/chain/anvil.ts'
import { shuffled } from '../../test/support/random.ts'
import { confirmations } from './mine-and-disrupt-chain.ts'
import { type RunContext, roundsOf, subjectsOf } from './run-context.ts'
import type { StuckNonces } from './stuck-nonces.ts'
import { pollUntil } from './test-environment.ts'
import { unrelatedPayer } from './unrelated-accounts.ts'

type Hex = `0x${string}`
type Sent = { readonly hash: Hex; readonly from: Hex; readonly to: Hex | null; readonly input: Hex; readonly gas: Hex }

/** The deepest reorg, in blocks below the head. */
export const deepestRewrite = 200
/** How long to wait for a nonce, and for a claim. */
const [caughtMs, claimedMs] = [15_000, 60_000]
/**
 * The time and the number of rounds after which a stuck nonce must be abandoned. In production four rounds take a minute; on a busy
 * machine the workers make few rounds.
 */
const [cancelledMs, cancelledRounds] = [45_000, 60]
/** The limit for a slow machine. */
const maxCancelledMs = 240_000
const refusedMs = 2_500

/** The node accepts a transaction and never includes it: its nonce is cancelled, and its action is requested again. */
export async function stickNonce(run: RunContext): Promise<boolean> {
  const nonce = await caught(run, run.stuck.catchNext('swallow', caughtMs))
  return nonce !== null && isGivenUp(run, nonce)
}

/** The same with the claim of a voucher. */
export async function stickClaim(run: RunContext): Promise<boolean> {
  const nonce = await caught(run, run.stuck.catchNext('swallow', claimedMs, isClaim(run)))
  return nonce !== null && isGivenUp(run, nonce)
}

/** The node refuses the claim of a voucher for a while. */
export async function refuseClaim(run: RunContext): Promise<boolean> {
  const nonce = await caught(run, run.stuck.catchNext('refuse', claimedMs, isClaim(run)))
  if (nonce === null) return false
  await new Promise((resolve) => setTimeout(resolve, refusedMs))
  run.stuck.release(nonce)
  return true
}

const claimSelectors = voucherChannelsAbi
  .filter((entry) => entry.type === 'function' && (entry.name === 'settle' || entry.name === 'close'))
  .map((entry) => toFunctionSelector(entry as Extract<typeof entry, { type: 'function' }>))

function isClaim({ environment }: RunContext): Parameters<StuckNonces['catchNext']>[2] {
  return ({ to, data }) => to === environment.channels.toLowerCase() && claimSelectors.includes(data.slice(0, 10) as Hex)
}

/** The owner of the nonce is affected. */
async function caught(run: RunContext, catching: Promise<number | null>): Promise<number | null> {
  const nonce = await catching
  if (nonce !== null) for (const id of (await pollUntil(5_000, () => subjectsOf(run.system, nonce))) ?? []) run.progress.concern(id)
  return nonce
}

async function isGivenUp(run: RunContext, nonce: number): Promise<boolean> {
  const { system, violations } = run
  const where = { nonce, chainId: system.market.chainId, state: { in: ['replaced' as const, 'failed_final' as const] } }
  const [since, before] = [Date.now(), roundsOf(run)]
  // While two nodes disagree, the server sends nothing.
  const waitedMs = () => Date.now() - since - run.progress.pausedMs(since, Date.now())
  const isTooLate = () => waitedMs() > cancelledMs && roundsOf(run) - before > cancelledRounds
  const end = await pollUntil(maxCancelledMs, async () =>
    (await system.db.chainTransaction.findFirst({ where })) ? 'given up' : isTooLate() && 'too late',
  )
  if (end === 'given up') return true
  violations.push(`nonce ${nonce} was stuck and not given up in ${roundsOf(run) - before} rounds, ${waitedMs()} ms`)
  return false
}

/**
 * The chain loses final blocks, and unrelated accounts repeat some of the calls in their own transactions: the same facts with other
 * hashes.
 */
export async function reorgChainDeep(run: RunContext): Promise<boolean> {
  const { chain, system } = run
  const release = await chain.holdAlone()
  try {
    const block = await pollUntil(20_000, async () => {
      const head = await chain.head()
      const where = { chainId: system.market.chainId, block: { gte: head - deepestRewrite + 3, lte: head - confirmations } }
      return (await system.db.chainLog.findFirst({ where, orderBy: { block: 'asc' } }))?.block
    })
    if (block === null) return false
    const goOn = await chain.freeze()
    try {
      return await rewriteFrom(run, block)
    } finally {
      goOn()
    }
  } finally {
    release()
  }
}

async function rewriteFrom(run: RunContext, block: number): Promise<boolean> {
  const { chain, environment, random } = run
  const head = await chain.head()
  const removed = await sentFrom(environment.rpcUrl, block, head)
  const booked = await concernAbove(run, block)
  await callChain(environment.rpcUrl, 'anvil_rollback', [head - block + 1])
  const settler = run.system.ports.rail.sender.toLowerCase()
  const ours = removed.filter((one) => one.from.toLowerCase() === settler && one.to !== null)
  // First the events that were booked; then some of the others.
  const again = shuffled(ours, random).filter((one) => booked.has(one.hash) || random() < 0.5)
  const sent: { readonly of: Sent; readonly as: string }[] = []
  for (const one of again.slice(0, 6)) {
    const as = await sendForAnother(environment.rpcUrl, one).catch(() => null)
    if (typeof as === 'string') sent.push({ of: one, as })
  }
  await chain.mine(1)
  let others = 0
  for (const { of, as } of sent) {
    const receipt = (await callChain(environment.rpcUrl, 'eth_getTransactionReceipt', [as])) as { status: Hex } | null
    if (receipt?.status === '0x1' && booked.has(of.hash)) others++
  }
  // The other branch is the longer one, as on every chain.
  await chain.mine(head - block + 1)
  return others > 0
}

/** At a price that places it before the others. */
async function sendForAnother(rpcUrl: string, { to, input, gas }: Sent): Promise<unknown> {
  const gwei = 10n ** 9n
  const price = { maxFeePerGas: `0x${(2_000n * gwei).toString(16)}`, maxPriorityFeePerGas: `0x${(100n * gwei).toString(16)}` }
  return callChain(rpcUrl, 'eth_sendTransaction', [{ from: unrelatedPayer, to, data: input, gas, ...price }])
}

async function sentFrom(rpcUrl: string, from: number, to: number): Promise<Sent[]> {
  const sent: Sent[] = []
  for (let block = from; block <= to; block++) {
    const found = (await callChain(rpcUrl, 'eth_getBlockByNumber', [`0x${block.toString(16)}`, true])) as { transactions: Sent[] }
    sent.push(...found.transactions)
  }
  return sent
}

/** Marks the owners of all removed facts as affected. Returns the transactions that were booked. */
async function concernAbove({ system, progress }: RunContext, block: number): Promise<Set<string>> {
  const { chainId } = system.market
  const logs = await system.db.chainLog.findMany({ where: { chainId, block: { gte: block } } })
  const live = await system.db.chainTransaction.findMany({ where: { chainId, block: { gte: block } } })
  const batches = await system.db.batchedSettlement.findMany({ where: { transactionId: { in: live.map((one) => one.id) } } })
  const holds = await system.db.hold.findMany({
    where: { planId: { in: logs.flatMap((log) => log.planId ?? []) } },
    select: { goalId: true },
  })
  for (const { goalId } of [...live, ...holds, ...batches]) progress.concern(goalId)
  for (const { channelId } of [...live, ...logs]) progress.concern(channelId)
  return new Set(logs.map((log) => log.txHash))
}
