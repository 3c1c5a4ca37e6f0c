'use client'
import type { CardFee } from '@parley/protocol'
import { createContext, type ReactNode, useContext } from 'react'

/** The facts of the deployment that pages need. The server's layout passes them at run time, not at build time. */
export type PublicMarket = {
  readonly publicUrl: string
  readonly hubUrl: string
  readonly serverDid: string
  readonly chainId: number
  readonly asset: string
  readonly symbol: string
  readonly decimals: number
  readonly token: `0x${string}`
  readonly escrow: `0x${string}`
  /** Null if this market has no calls. */
  readonly channels: `0x${string}` | null
  readonly evaluator: `0x${string}`
  readonly feeBps: number
  /** The minimum budget of a goal, base units. */
  readonly minBudget: bigint
  /** The fee that the client pays for a card payment, on top of the budget. Null if cards are not accepted. */
  readonly cardFee: CardFee | null
  readonly isLocalChain: boolean
  /** Whether there is a person who rules on disputes. */
  readonly hasOperators: boolean
  /** Whether steps on the escrow can be disputed. */
  readonly hasArbitrator: boolean
  /** Whether goals can be paid by card, and whether Stripe is live or a fake. */
  readonly cards: 'none' | 'demo' | 'test' | 'live'
}
/** The signed-in person, as pages need it. */
export type Me = {
  readonly did: string
  readonly address: `0x${string}`
  readonly isOperator: boolean
  /** Whether this person may read the operator pages; only `isOperator` may change anything there. */
  readonly readsOperations: boolean
}

const Market = createContext<PublicMarket | null>(null)
const Reader = createContext<Me | null>(null)
const RequestTime = createContext(0)

/** `requestTime`: when the server rendered the page, milliseconds since 1970. */
type Props = { market: PublicMarket; me: Me | null; requestTime: number; children: ReactNode }

export function MarketProvider({ market, me, requestTime, children }: Props) {
  return (
    <Market.Provider value={market}>
      <RequestTime.Provider value={requestTime}>
        <Reader.Provider value={me}>{children}</Reader.Provider>
      </RequestTime.Provider>
    </Market.Provider>
  )
}

/** When the server rendered the page, milliseconds since 1970. */
export function useRequestTime(): number {
  return useContext(RequestTime)
}

export function useMarket(): PublicMarket {
  const market = useContext(Market)
  if (!market) throw new Error('MarketProvider is missing')
  return market
}

/** The signed-in person, or null. */
export function useMe(): Me | null {
  return useContext(Reader)
}
