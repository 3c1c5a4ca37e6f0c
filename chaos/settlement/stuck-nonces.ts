import { type Hex, keccak256, parseTransaction } from 'viem'
import type { Call, Reply } from '../faulty-rpc-proxy.ts'

type Sent = { readonly to: string; readonly data: Hex; readonly nonce: number }
/** `swallow`: the node accepts the transaction and never includes it. `refuse`: the node refuses it. */
type How = 'swallow' | 'refuse'

/** Nonces that the node keeps out of blocks until they are cancelled or released. */
export type StuckNonces = {
  /** The next new nonce of a transaction that fulfils `which` gets stuck. Null: none arrived in time. */
  catchNext(how: How, ms: number, which?: (sent: Sent) => boolean): Promise<number | null>
  release(nonce: number): void
  instead(call: Call): Reply | null
}

/** `sender`: the only account whose transactions pass. */
export function createStuckNonces(sender: string): StuckNonces {
  const passed = new Set<number>()
  const stuck = new Map<number, How>()
  const traps = new Set<{ readonly how: How; readonly which: (sent: Sent) => boolean; readonly caught: (nonce: number | null) => void }>()

  /** A transfer of nothing to itself is a cancellation. */
  const isCancel = ({ to, data }: Sent) => to === sender.toLowerCase() && data === '0x'

  return {
    catchNext: (how, ms, which = () => true) =>
      new Promise((caught) => {
        const trap = { how, which, caught }
        traps.add(trap)
        setTimeout(() => traps.delete(trap) && caught(null), ms)
      }),
    release: (nonce) => void stuck.delete(nonce),
    instead({ method, params }) {
      if (method !== 'eth_sendRawTransaction') return null
      const raw = params?.[0] as Hex
      const { to, data, nonce } = parseTransaction(raw)
      const sent = { to: (to ?? '').toLowerCase(), data: data ?? '0x', nonce: nonce ?? 0 }
      const isFresh = !passed.has(sent.nonce) && !stuck.has(sent.nonce) && !isCancel(sent)
      const trap = isFresh ? [...traps].find(({ which }) => which(sent)) : undefined
      if (trap) {
        traps.delete(trap)
        stuck.set(sent.nonce, trap.how)
        trap.caught(sent.nonce)
      }
      const how = isCancel(sent) ? undefined : stuck.get(sent.nonce)
      if (how === undefined) passed.add(sent.nonce)
      if (how === 'swallow') return { result: keccak256(raw) }
      return how === 'refuse' ? { error: { code: -32_000, message: 'this transaction is not welcome here' } } : null
    },
  }
}
