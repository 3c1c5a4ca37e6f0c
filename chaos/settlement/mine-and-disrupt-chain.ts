import { callChain } from '../../server/embedded/chain/anvil.ts'
import type { Random } from '../../test/support/random.ts'
import type { FaultTally } from './fault-tally.ts'

/** The confirmations of a log, and the deepest reorg below them. */
export const confirmations = 4
const shallow = 3
const blockMs = 120
/** After so many blocks without a round of any worker, blocks come at this interval. On a busy machine workers make few rounds. */
const [maxBlocksPerRound, slowBlockMs] = [20, 480]
/** On average, one in so many blocks. */
const rare = { reorg_within_depth: 60, fee_surge: 25, mempool_drop: 50 } as const
type Upset = keyof typeof rare
/** After so many failures in a row, the node is lost. */
const maxFailures = 20
const surgeWei = 40n * 10n ** 9n

/** Mines blocks, and sometimes rewrites the newest ones, raises the gas price, or drops pending transactions. */
export type DisruptedChain = {
  /** Holds the chain: no disruption until the returned function is called. */
  hold(): Promise<() => void>
  /** The same for a caller that rewrites the chain: an exclusive hold. */
  holdAlone(): Promise<() => void>
  /** One of the random events; false while a caller holds the chain. */
  upset(kind: Upset): Promise<boolean>
  /** No blocks until the returned function is called. Waits for the block that is being mined. */
  freeze(): Promise<() => void>
  /** Why no more blocks are mined; null while they are. */
  failure(): string | null
  /** Ends the disruptions; blocks continue. */
  calmDown(): void
  head(): Promise<number>
  mine(blocks: number): Promise<void>
  /** The next blocks are that much later. */
  warp(seconds: number): Promise<void>
  stop(): Promise<void>
}

/** `rounds`: changes with each round of a worker. */
export function mineAndDisruptChain(rpcUrl: string, random: Random, tally: FaultTally, rounds: () => number): DisruptedChain {
  const of = { holds: 0, freezes: 0, failures: 0, isAlone: false, isCalm: false, isOver: false }
  let block: Promise<unknown> = Promise.resolve()
  let failure: string | null = null

  const upsets: { readonly [U in Upset]: () => Promise<unknown> } = {
    reorg_within_depth: () => callChain(rpcUrl, 'anvil_rollback', [1 + Math.floor(random() * shallow)]),
    fee_surge: () => callChain(rpcUrl, 'anvil_setNextBlockBaseFeePerGas', [`0x${surgeWei.toString(16)}`]),
    mempool_drop: () => callChain(rpcUrl, 'anvil_dropAllTransactions', []),
  }
  async function upset(kind: Upset): Promise<boolean> {
    if (of.isCalm || of.holds > 0) return false
    await upsets[kind]()
    tally.note(kind)
    return true
  }

  /** A busy node may not answer in time. */
  async function mineOne(): Promise<void> {
    try {
      await callChain(rpcUrl, 'anvil_mine', ['0x1'])
      of.failures = 0
    } catch (error) {
      if (++of.failures >= maxFailures) throw error
    }
  }

  async function run(): Promise<void> {
    for (let [seen, blocks] = [rounds(), 0]; !of.isOver; blocks++) {
      await new Promise((resolve) => setTimeout(resolve, blocks < maxBlocksPerRound ? blockMs : slowBlockMs))
      if (rounds() !== seen) [seen, blocks] = [rounds(), 0]
      if (of.freezes > 0) continue
      block = mineOne()
      await block
      for (const kind of Object.keys(rare) as Upset[]) if (random() < 1 / rare[kind]) await upset(kind).catch(() => false)
    }
  }
  const running = run()
  running.catch((error: unknown) => {
    failure = String(error)
  })

  const counted = (name: 'holds' | 'freezes') => {
    of[name]++
    return () => void of[name]--
  }
  const until = async (isFree: () => boolean) => {
    while (!isFree()) await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return {
    async hold() {
      await until(() => !of.isAlone)
      return counted('holds')
    },
    async holdAlone() {
      await until(() => !of.isAlone && of.holds === 0)
      of.isAlone = true
      const release = counted('holds')
      return () => {
        of.isAlone = false
        release()
      }
    },
    upset,
    async freeze() {
      const goOn = counted('freezes')
      await block.catch(() => {})
      return goOn
    },
    failure: () => failure,
    calmDown: () => {
      of.isCalm = true
    },
    head: async () => Number(await callChain(rpcUrl, 'eth_blockNumber', [])),
    mine: async (blocks) => void (await callChain(rpcUrl, 'anvil_mine', [`0x${blocks.toString(16)}`])),
    warp: async (seconds) => void (await callChain(rpcUrl, 'evm_increaseTime', [seconds])),
    async stop() {
      of.isOver = true
      await running
    },
  }
}
