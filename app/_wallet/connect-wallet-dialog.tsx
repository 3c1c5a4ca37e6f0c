'use client'
import { useQueryClient } from '@tanstack/react-query'
import { Wallet } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useEffect, useRef, useState } from 'react'
import { type Connector, useConfig, useConnectors } from 'wagmi'
import { useMarket, useMe } from '../_components/market-provider.tsx'
import { Button } from '../_components/ui/button.tsx'
import { shorten } from '../_components/ui/copyable-identifier.tsx'
import { Dialog } from '../_components/ui/dialog.tsx'
import { Notice } from '../_components/ui/notice.tsx'
import { problemOf } from '../_components/ui/problem.tsx'
import { Chip } from '../_components/ui/state-chip.tsx'
import { useTRPCClient } from '../_trpc/client.tsx'
import { developmentWalletId } from './development-wallet.ts'
import { useDevelopmentRequest } from './development-wallet-dialog.tsx'
import { connectWallet, restoreConnection, signInWithWallet, signTypedDataWithWallet, walletFailureText } from './sign-in-with-wallet.ts'
import type { WalletAction } from './wallet-action.ts'

type Stage = { at: 'choosing' } | { at: 'asking'; wallet: string } | { at: 'failed'; sentence: string }

/** The sign-in dialog: connects the chosen wallet and signs in. */
export function ConnectWalletDialog({ task, onDone }: { task: WalletAction; onDone: () => void }) {
  const t = useTranslations('wallet.connectWalletDialog')
  const tProblem = useTranslations('ui.problem')
  const market = useMarket()
  const me = useMe()
  const config = useConfig()
  const connectors = useConnectors().filter((connector) => connector.type === 'injected')
  const api = useTRPCClient()
  const queries = useQueryClient()
  const router = useRouter()
  const isWalletAsking = useDevelopmentRequest() !== null
  const [stage, setStage] = useState<Stage>({ at: 'choosing' })
  const isStarted = useRef(false)

  async function proceed(connector: Connector): Promise<void> {
    setStage({ at: 'asking', wallet: connector.name })
    try {
      const address = await connectWallet(config, connector, market)
      if (task.kind === 'typed-data') {
        if (me && address.toLowerCase() !== me.address)
          return setStage({ at: 'failed', sentence: t('youSignedInAs', { address: shorten(me.address) }) })
        task.resolve(await signTypedDataWithWallet(config, connector, address, task.typedData))
        return onDone()
      }
      await signInWithWallet({ config, connector, address, market, api })
      router.refresh()
      await queries.invalidateQueries()
      onDone()
      task.onSignedIn?.()
    } catch (error) {
      const isServers = Boolean((error as { data?: unknown } | null)?.data)
      setStage({ at: 'failed', sentence: isServers ? problemOf(error, tProblem).detail : walletFailureText(error, t) })
    }
  }

  // After an earlier sign-in there is no choice: the same wallet is asked at once.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per task
  useEffect(() => {
    if (isStarted.current || task.kind !== 'typed-data' || !me) return
    isStarted.current = true
    void restoreConnection(config, me.address).then((connector) => connector && proceed(connector))
  }, [task])

  const close = () => {
    if (task.kind === 'typed-data') task.reject(new Error(t('youClosedDialog')))
    onDone()
  }
  return (
    <Dialog
      isOpen={!isWalletAsking}
      onOpenChange={(isOpen) => !isOpen && close()}
      title={task.kind === 'sign-in' ? t('signInWithEthereum') : t('signWithYourWallet')}
      description={task.kind === 'sign-in' ? t('yourWalletSignsOneMessage') : t('useWalletYouSignedInWith')}
    >
      {stage.at === 'failed' && <Notice kind="bad" title={stage.sentence} className="mb-4" />}
      {stage.at === 'asking' ? (
        <p role="status" className="rounded-md border bg-sunken px-4 py-6 text-center">
          {t.rich('answerIn', { strong: () => <strong>{stage.wallet}</strong> })}
        </p>
      ) : (
        <WalletList connectors={connectors} onChoose={(connector) => void proceed(connector)} />
      )}
    </Dialog>
  )
}

function WalletList({ connectors, onChoose }: { connectors: readonly Connector[]; onChoose: (connector: Connector) => void }) {
  const t = useTranslations('wallet.connectWalletDialog')
  if (connectors.length === 0) {
    return (
      <Notice title={t('noWalletFoundInBrowser')}>
        <p>{t('installOneAnnouncesItselfToPages')}</p>
      </Notice>
    )
  }
  return (
    <ul className="grid gap-2">
      {connectors.map((connector) => (
        <li key={connector.uid}>
          <Button className="h-auto min-h-14 w-full justify-start gap-3 px-3" onClick={() => onChoose(connector)}>
            {connector.icon ? (
              // biome-ignore lint/performance/noImgElement: a data address that the wallet itself gives
              <img src={connector.icon.trim()} alt="" className="size-8 rounded-md" />
            ) : (
              <Wallet aria-hidden className="mx-1 size-6!" />
            )}
            <span className="min-w-0 flex-1 truncate text-left">{connector.name}</span>
            {connector.id === developmentWalletId && <Chip tone="bad">{t('testMoneyOnly')}</Chip>}
          </Button>
        </li>
      ))}
    </ul>
  )
}
