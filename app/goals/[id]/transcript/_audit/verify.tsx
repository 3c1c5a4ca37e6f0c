'use client'
import { ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { useTRPCClient } from '@/app/_trpc/client.tsx'
import { useMarket } from '../../../../_components/market.tsx'
import { TxLink } from '../../../../_components/ui/address.tsx'
import { Button } from '../../../../_components/ui/button.tsx'
import { Notice } from '../../../../_components/ui/notice.tsx'
import { ProblemNotice } from '../../../../_components/ui/problem.tsx'
import type { Verification } from '../../../../_views/verify-transcript.ts'
import { readExpected } from './read-expected.ts'

type Shown = { readonly result: Verification; readonly sentence: string; readonly tx: string | null; readonly isFromChain: boolean }

/** Recomputes every hash and signature here, in the reader's own browser, and holds the end against the chain. */
export function Verify({ goalId, groupId, isSettled }: { goalId: string; groupId: string; isSettled: boolean }) {
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
      const { verifyTranscript, verificationSentence } = await import('../../../../_views/verify-transcript.ts')
      const messages = []
      for (let after = 0; ; ) {
        const page = await api.conversations.list.query({ group_id: groupId, after, limit: 500 })
        messages.push(...page)
        const last = page.at(-1)
        if (!last) break
        after = last.seq
      }
      const { expected, tx, isFromChain } = await readExpected(await api.settlement.getProof.query({ goal_id: goalId }), market)
      const result = await verifyTranscript(messages, { serverDid: market.serverDid, expected }, setProgress)
      setShown({ result, sentence: verificationSentence(result), tx, isFromChain })
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
        <ShieldCheck aria-hidden /> {progress ? `Checking #${progress}` : 'Verify'}
      </Button>
      {!shown && !error ? (
        <p className="mt-1.5 text-muted text-sm">
          {isSettled
            ? 'Recomputes the chain of hashes in your browser and compares it with the payment on chain.'
            : 'Recomputes the chain of hashes in your browser. The payment will carry its end.'}
        </p>
      ) : null}
      {shown && (
        <Notice kind={isGood ? 'good' : 'bad'} title={shown.sentence} className="mt-3">
          {shown.result.broken.slice(0, 5).map((one) => (
            <p key={`${one.seq}-${one.reason}`}>
              <a className="underline" href={`#m-${one.seq}`}>
                Go to message {one.seq}
              </a>
            </p>
          ))}
          {shown.result.expected && (
            <p className="figures break-all text-xs">
              {shown.isFromChain ? 'On chain' : 'By the server, as this chain can’t be asked from here'}: {shown.result.expected}
            </p>
          )}
          {shown.tx && (
            <p className="text-xs">
              Payment: <TxLink hash={shown.tx} />
            </p>
          )}
        </Notice>
      )}
      {error ? <ProblemNotice error={error} className="mt-3" /> : null}
    </div>
  )
}
