'use client'
import type { Verification } from '@parley/protocol'
import { ShieldCheck } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { fillEmptyTag } from '@/app/_messages/fill-empty-tag.ts'
import { useTRPCClient } from '@/app/_trpc/client.tsx'
import { useMarket } from '../../../../_components/market-provider.tsx'
import { Button } from '../../../../_components/ui/button.tsx'
import { TxLink } from '../../../../_components/ui/copyable-identifier.tsx'
import { Notice } from '../../../../_components/ui/notice.tsx'
import { ProblemNotice } from '../../../../_components/ui/problem.tsx'
import { readPaidConclusionHash } from './read-paid-conclusion-hash.ts'

type Shown = { readonly result: Verification; readonly sentence: string; readonly tx: string | null; readonly isFromChain: boolean }

/** Recomputes every hash and signature in the reader's browser, and compares the last hash with the chain. */
export function TranscriptCheck({ goalId, roomId, isSettled }: { goalId: string; roomId: string; isSettled: boolean }) {
  const t = useTranslations('run.transcriptCheck')
  const tSentence = useTranslations('views.verification')
  const api = useTRPCClient()
  const market = useMarket()
  const [shown, setShown] = useState<Shown | null>(null)
  const [progress, setProgress] = useState<number | null>(null)
  const [error, setError] = useState<unknown>(null)

  async function verify() {
    setError(null)
    setShown(null)
    setProgress(0)
    try {
      const [{ verifyTranscript }, { verificationSentence }] = await Promise.all([
        import('@parley/protocol'),
        import('./verification-sentence.ts'),
      ])
      const messages = []
      for (let after = 0; ; ) {
        const page = await api.conversations.list.query({ room_id: roomId, after, limit: 500 })
        messages.push(...page)
        const last = page.at(-1)
        if (!last) break
        after = last.seq
      }
      const { expected, tx, isFromChain } = await readPaidConclusionHash(await api.settlement.getProof.query({ goal_id: goalId }), market)
      const result = await verifyTranscript(messages, { serverDid: market.serverDid, expected }, setProgress)
      setShown({ result, sentence: verificationSentence(result, tSentence), tx, isFromChain })
    } catch (cause) {
      setError(cause)
    } finally {
      setProgress(null)
    }
  }

  const isGood = shown?.result.outcome === 'proven' || shown?.result.outcome === 'intact'
  return (
    <div className="min-w-0 flex-1 basis-80">
      <Button tone="primary" onClick={() => void verify()} isBusy={progress !== null}>
        <ShieldCheck aria-hidden /> {progress ? t('checking', { progress }) : t('verify')}
      </Button>
      {!shown && !error ? (
        <p className="mt-1.5 text-muted text-sm">{isSettled ? t('recomputesToPayment') : t('recomputesBeforePayment')}</p>
      ) : null}
      {shown && (
        <Notice kind={isGood ? 'good' : 'bad'} title={shown.sentence} className="mt-3">
          {shown.result.broken.slice(0, 5).map((one) => (
            <p key={`${one.seq}-${one.reason}`}>
              <a className="underline" href={`#m-${one.seq}`}>
                {t('goToMessage', { seq: one.seq })}
              </a>
            </p>
          ))}
          {shown.result.expected && (
            <p className="figures break-all text-xs">
              {shown.isFromChain ? t('onChain') : t('byServerAsChainCantAsked')}: {shown.result.expected}
            </p>
          )}
          {shown.tx && <p className="text-xs">{t.rich('payment', { txLink: fillEmptyTag(<TxLink hash={shown.tx} />) })}</p>}
        </Notice>
      )}
      {error ? <ProblemNotice error={error} className="mt-3" /> : null}
    </div>
  )
}
