import { randomBytes } from 'node:crypto'
import type { EscrowEvent, EscrowRail } from '../../../server/ports.ts'
import type { MoneyWorld } from './money-world.ts'

type Hex = `0x${string}`
/** An event without its position on the chain. */
export type SimulatedEvent = Pick<EscrowEvent, 'contract' | 'name' | 'args'> & { readonly planId?: Hex; readonly channelId?: Hex }
type Block = { readonly hash: Hex; readonly events: readonly EscrowEvent[] }

export const word = (): Hex => `0x${randomBytes(32).toString('hex')}`
export const wallet = (): Hex => `0x${randomBytes(20).toString('hex')}`

export type SimulatedChain = {
  readonly rail: EscrowRail
  readonly height: number
  /** One block; each inner list is a transaction. */
  append(transactions: readonly (readonly SimulatedEvent[])[]): void
  /** Removes the newest blocks. */
  remove(count: number): void
  /** All events of the chain, in order. */
  events(): EscrowEvent[]
}

/** An in-memory chain whose blocks a test defines and can reorganize at any depth. It accepts no transactions. */
export function createPaperChain(world: MoneyWorld, confirmations = 0): SimulatedChain {
  const genesis: Block = { hash: word(), events: [] }
  let blocks: Block[] = [genesis]
  const newest = () => blocks.length - 1
  const rail: EscrowRail = {
    ...world.system.ports.rail,
    confirmations,
    genesis: async () => genesis.hash,
    head: async () => ({ number: newest(), hash: blocks.at(-1)?.hash ?? genesis.hash, timestamp: 1_800_000_000 + newest() }),
    blockHash: async (number) => blocks[number]?.hash ?? null,
    readEvents: async (from, to) => blocks.slice(from, to + 1).flatMap((block) => block.events),
    receipt: async () => null,
  }
  return {
    rail,
    get height() {
      return newest()
    },
    append(transactions) {
      const [number, hash] = [blocks.length, word()]
      let logIndex = 0
      const events = transactions.flatMap((transaction) => {
        const txHash = word()
        return transaction.map(
          (event): EscrowEvent => ({
            planId: null,
            channelId: null,
            ...event,
            txHash,
            logIndex: logIndex++,
            block: number,
            blockHash: hash,
            at: 1_800_000_000 + number,
          }),
        )
      })
      blocks = [...blocks, { hash, events }]
    },
    remove(count) {
      blocks = blocks.slice(0, Math.max(1, blocks.length - count))
    },
    events: () => blocks.flatMap((block) => block.events),
  }
}
