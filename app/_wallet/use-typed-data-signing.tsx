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
 * Requests terms from the server, has the wallet sign them, and sends the signature back. `isAsking`: the wallet shows its
 * dialog, so own dialogs are hidden. `sign` returns whether the server accepted the signature.
 */
export function useTypedDataSigning() {
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

/** A refusal of the server is shown with its code, an error of the wallet with its own text. */
export function SigningTrouble({ error, className }: { error: unknown; className?: string }) {
  const t = useTranslations('wallet.useTypedDataSigning')
  if (error === null) return null
  const look = className ? { className } : {}
  if (!(error instanceof Error) || 'data' in error) return <ProblemNotice error={error} money={t('noMoneyMoved')} {...look} />
  return (
    <Notice kind="warning" title={error.message} {...look}>
      {t('noMoneyMovedSignAgain')}
    </Notice>
  )
}
