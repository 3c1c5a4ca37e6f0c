'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import type { Eip712TypedData } from '@/server/ports.ts'
import { Notice } from '../_components/ui/notice.tsx'
import { ProblemNotice } from '../_components/ui/problem.tsx'
import { useWallet } from './wallet-provider.tsx'

/** The data that the server wants signed, with the other fields of its answer. */
type Terms = { readonly typedData: Eip712TypedData }

/**
 * Terms from the server, one signature of the wallet, and the signed word back to the server. `isAsking` while the wallet has
 * the floor: a dialog of one's own gives way to the wallet's meanwhile. `sign` answers whether the server took it.
 */
export function useSigning() {
  const wallet = useWallet()
  const [stage, setStage] = useState<'idle' | 'reading' | 'asking' | 'sending'>('idle')
  const [error, setError] = useState<unknown>(null)

  async function sign<T extends Terms>(read: () => Promise<T>, send: (signature: `0x${string}`, terms: T) => Promise<unknown>) {
    setError(null)
    setStage('reading')
    try {
      const terms = await read()
      setStage('asking')
      const signature = await wallet.signTypedData(terms.typedData)
      setStage('sending')
      await send(signature, terms)
      return true
    } catch (failure) {
      setError(failure)
      return false
    } finally {
      setStage('idle')
    }
  }
  return { sign, error, isBusy: stage !== 'idle', isAsking: stage === 'asking' }
}

/** What the server refused is shown with its code; what the wallet said is shown as it said it. */
export function SigningTrouble({ error, className }: { error: unknown; className?: string }) {
  const t = useTranslations('wallet.useSigning')
  if (error === null) return null
  const look = className ? { className } : {}
  if (!(error instanceof Error) || 'data' in error) return <ProblemNotice error={error} money={t('noMoneyMoved')} {...look} />
  return (
    <Notice kind="warning" title={error.message} {...look}>
      {t('noMoneyMovedSignAgain')}
    </Notice>
  )
}
