import { toFunctionSelector } from 'viem'
import { voucherChannelsAbi } from '../../contracts/abi/index.ts'
import { callChain } from '../../server/embedded/chain/anvil.ts'
import { shuffled } from '../../test/support/random.ts'
import { confirmations } from './mine-and-disrupt-chain.ts'
import { type RunContext, roundsOf, subjectsOf } from './run-context.ts'
import type { StuckNonces } from './stuck-nonces.ts'
import { within } from './test-environment.ts'
import { stranger } from './unrelated-accounts.ts'

type Hex = `0x${string}`
type Sent = { readonly hash: Hex; readonly from: Hex; readonly to: Hex | null; readonly input: Hex; readonly gas: Hex }

/** The deepest block that a rewrite takes, below the head. */
export const deepestRewrite = 200
/** How long a nonce, and how long a claim, may not come. */
const [caughtMs, claimedMs] = [15_000, 60_000]
/**
 * So much time, and so many rounds, until a stuck nonce has to be given up. In production four rounds take a minute; on a busy machine
 * the workers make few rounds.
 */
const [cancelledMs, cancelledRounds] = [45_000, 60]
/** However slow the machine is. */
const maxCancelledMs = 240_000
const refusedMs = 2_500

/** The node takes a transaction and never includes it: its nonce is cancelled, and what it was for is asked for again. */
export async function stickNonce(scene: RunContext): Promise<boolean> {
  const nonce = await caught(scene, scene.stuck.catchNext('swallow', caughtMs))
  return nonce !== null && isGivenUp(scene, nonce)
}

/** The same with the claim of a voucher. */
export async function stickClaim(scene: RunContext): Promise<boolean> {
  const nonce = await caught(scene, scene.stuck.catchNext('swallow', claimedMs, isClaim(scene)))
  return nonce !== null && isGivenUp(scene, nonce)
}

/** The node does not take the claim of a voucher for a while. */
export async function refuseClaim(scene: RunContext): Promise<boolean> {
  const nonce = await caught(scene, scene.stuck.catchNext('refuse', claimedMs, isClaim(scene)))
  if (nonce === null) return false
  await new Promise((resolve) => setTimeout(resolve, refusedMs))
  scene.stuck.release(nonce)
  return true
}

const claimSelectors = voucherChannelsAbi
  .filter((entry) => entry.type === 'function' && (entry.name === 'settle' || entry.name === 'close'))
  .map((entry) => toFunctionSelector(entry as Extract<typeof entry, { type: 'function' }>))

function isClaim({ ground }: RunContext): Parameters<StuckNonces['catchNext']>[2] {
  return ({ to, data }) => to === ground.channels.toLowerCase() && claimSelectors.includes(data.slice(0, 10) as Hex)
}

/** The owner of the nonce is affected. */
async function caught(scene: RunContext, catching: Promise<number | null>): Promise<number | null> {
  const nonce = await catching
  if (nonce !== null) for (const id of (await within(5_000, () => subjectsOf(scene.system, nonce))) ?? []) scene.progress.concern(id)
  return nonce
}

async function isGivenUp(scene: RunContext, nonce: number): Promise<boolean> {
  const { system, violations } = scene
  const where = { nonce, chainId: system.market.chainId, state: { in: ['replaced' as const, 'failed_final' as const] } }
  const [since, before] = [Date.now(), roundsOf(scene)]
  const isTooLate = () => Date.now() - since > cancelledMs && roundsOf(scene) - before > cancelledRounds
  const end = await within(maxCancelledMs, async () =>
    (await system.db.chainTransaction.findFirst({ where })) ? 'given up' : isTooLate() && 'too late',
  )
  if (end === 'given up') return true
  violations.push(`nonce ${nonce} was stuck and not given up in ${roundsOf(scene) - before} rounds, ${Date.now() - since} ms`)
  return false
}

/**
 * The chain loses blocks that were final already, and strangers bring some of what they did in transactions of their own: the same
 * facts, other hashes.
 */
export async function reorgChainDeep(scene: RunContext): Promise<boolean> {
  const { chain, system } = scene
  const letGo = await chain.holdAlone()
  try {
    const block = await within(20_000, async () => {
      const head = await chain.head()
      const where = { chainId: system.market.chainId, block: { gte: head - deepestRewrite + 3, lte: head - confirmations } }
      return (await system.db.chainLog.findFirst({ where, orderBy: { block: 'asc' } }))?.block
    })
    if (block === null) return false
    const goOn = chain.freeze()
    try {
      return await rewriteFrom(scene, block)
    } finally {
      goOn()
    }
  } finally {
    letGo()
  }
}

async function rewriteFrom(scene: RunContext, block: number): Promise<boolean> {
  const { chain, ground, random } = scene
  const head = await chain.head()
  const removed = await sentFrom(ground.rpcUrl, block, head)
  const booked = await concernAbove(scene, block)
  await callChain(ground.rpcUrl, 'anvil_rollback', [head - block + 1])
  const settler = scene.system.ports.rail.sender.toLowerCase()
  const ours = removed.filter((one) => one.from.toLowerCase() === settler && one.to !== null)
  // What was booked already first; of the rest, some.
  const again = shuffled(ours, random).filter((one) => booked.has(one.hash) || random() < 0.5)
  const sent: { readonly of: Sent; readonly as: string }[] = []
  for (const one of again.slice(0, 6)) {
    const as = await sendForAnother(ground.rpcUrl, one).catch(() => null)
    if (typeof as === 'string') sent.push({ of: one, as })
  }
  await chain.mine(1)
  let others = 0
  for (const { of, as } of sent) {
    const receipt = (await callChain(ground.rpcUrl, 'eth_getTransactionReceipt', [as])) as { status: Hex } | null
    if (receipt?.status === '0x1' && booked.has(of.hash)) others++
  }
  // The other branch is the longer one, as on every chain.
  await chain.mine(head - block + 1)
  return others > 0
}

/** At a price that puts it before the others. */
async function sendForAnother(rpcUrl: string, { to, input, gas }: Sent): Promise<unknown> {
  const gwei = 10n ** 9n
  const price = { maxFeePerGas: `0x${(2_000n * gwei).toString(16)}`, maxPriorityFeePerGas: `0x${(100n * gwei).toString(16)}` }
  return callChain(rpcUrl, 'eth_sendTransaction', [{ from: stranger, to, data: input, gas, ...price }])
}

async function sentFrom(rpcUrl: string, from: number, to: number): Promise<Sent[]> {
  const sent: Sent[] = []
  for (let block = from; block <= to; block++) {
    const found = (await callChain(rpcUrl, 'eth_getBlockByNumber', [`0x${block.toString(16)}`, true])) as { transactions: Sent[] }
    sent.push(...found.transactions)
  }
  return sent
}

/** Everybody whose facts are removed is concerned. Answers the transactions that were booked. */
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
