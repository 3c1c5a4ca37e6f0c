'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { WagmiContext } from 'wagmi'
import { useMarket } from '../_components/market-provider.tsx'
import { DevelopmentConfirm } from './development-confirm.tsx'
import { announceDevelopmentWallet } from './development-wallet.ts'
import { walletConfig } from './wallet-config.ts'
import { WalletDialog } from './wallet-dialog.tsx'
import type { WalletTask } from './wallet-task.ts'

/** The root of all lazily loaded wallet code. */
export function WalletPanel({ task, onDone }: { task: WalletTask | null; onDone: () => void }) {
  const market = useMarket()
  const t = useTranslations('wallet.request')
  const tChain = useTranslations('wallet.chain')
  const tWallet = useTranslations('wallet.development')
  const [config] = useState(() => {
    // Must run before components restore an earlier connection, because they would not find this wallet yet.
    announceDevelopmentWallet(market, { t, tChain, tWallet })
    return walletConfig(market)
  })
  return (
    // The library's own provider loses its connections at every render.
    <WagmiContext.Provider value={config}>
      {task && <WalletDialog task={task} onDone={onDone} />}
      {market.isLocalChain && <DevelopmentConfirm />}
    </WagmiContext.Provider>
  )
}
