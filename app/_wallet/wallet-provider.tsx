'use client'
import { useRouter } from 'next/navigation'
import { createContext, lazy, type ReactNode, Suspense, useCallback, useContext, useMemo, useState } from 'react'
import { useTRPCClient } from '@/app/_trpc/client.tsx'
import type { Eip712TypedData } from '@/server/ports.ts'
import type { WalletAction } from './wallet-action.ts'

// Wallet code is large, and most readers never sign. It is loaded on first use.
const LazyWalletRoot = lazy(() => import('./lazy-wallet-root.tsx').then((module) => ({ default: module.LazyWalletRoot })))

type Wallet = {
  /** Opens the sign-in dialog: choose a wallet and sign one message. `onSignedIn` is called only if the person signs. */
  openSignIn(onSignedIn?: () => void): void
  /** Asks the signed-in person's wallet for a signature; connects it again first where needed. Rejects when refused. */
  signTypedData(typedData: Eip712TypedData): Promise<`0x${string}`>
  signOut(): void
}
const WalletContext = createContext<Wallet | null>(null)

export function WalletProvider({ children }: { children: ReactNode }) {
  const [task, setTask] = useState<WalletAction | null>(null)
  const [isNeeded, setNeeded] = useState(false)
  const api = useTRPCClient()
  const router = useRouter()
  const start = useCallback((next: WalletAction) => {
    setNeeded(true)
    setTask(next)
  }, [])
  const wallet = useMemo<Wallet>(
    () => ({
      openSignIn: (onSignedIn) => start({ kind: 'sign-in', onSignedIn }),
      signTypedData: (typedData) => new Promise((resolve, reject) => start({ kind: 'typed-data', typedData, resolve, reject })),
      signOut: () => void api.identity.signOut.mutate().finally(() => router.refresh()),
    }),
    [start, api, router],
  )
  return (
    <WalletContext.Provider value={wallet}>
      {children}
      {isNeeded && (
        <Suspense>
          <LazyWalletRoot task={task} onDone={() => setTask(null)} />
        </Suspense>
      )}
    </WalletContext.Provider>
  )
}

export function useWallet(): Wallet {
  const wallet = useContext(WalletContext)
  if (!wallet) throw new Error('WalletProvider is missing')
  return wallet
}
