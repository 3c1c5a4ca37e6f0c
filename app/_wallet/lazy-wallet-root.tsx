'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { WagmiContext } from 'wagmi'
import { useMarket } from '../_components/market-provider.tsx'
import { ConnectWalletDialog } from './connect-wallet-dialog.tsx'
import { announceDevelopmentWallet } from './development-wallet.ts'
import { DevelopmentWalletDialog } from './development-wallet-dialog.tsx'
import type { WalletAction } from './wallet-action.ts'
import { walletConfig } from './wallet-config.ts'

/** The root of all lazily loaded wallet code. */
export function LazyWalletRoot({ task, onDone }: { task: WalletAction | null; onDone: () => void }) {
  const market = useMarket()
  const t = useTranslations('wallet.request')
  const tChain = useTranslations('wallet.chain')
  const tWallet = useTranslations('wallet.developmentWallet')
  const [config] = useState(() => {
    // Must run before components restore an earlier connection, because they would not find this wallet yet.
    announceDevelopmentWallet(market, { t, tChain, tWallet })
    return walletConfig(market)
  })
  return (
    // The library's own provider loses its connections at every render.
    <WagmiContext.Provider value={config}>
      {task && <ConnectWalletDialog task={task} onDone={onDone} />}
      {market.isLocalChain && <DevelopmentWalletDialog />}
    </WagmiContext.Provider>
  )
}
