'use client'
import type { Listing } from '@parley/protocol'
import { useQuery } from '@tanstack/react-query'
import { LogIn, Send, Wallet } from 'lucide-react'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { CallFile } from '../../_calls/call-list.tsx'
import type { CallDetails } from '../../_calls/channel-view.ts'
import { TopUpPaymentChannelForm } from '../../_calls/top-up-payment-channel-form.tsx'
import { useMarket, useMe } from '../../_components/market-provider.tsx'
import { Button } from '../../_components/ui/button.tsx'
import { Link } from '../../_components/ui/link.tsx'
import { MoneyAmount } from '../../_components/ui/money.tsx'
import { ProblemNotice } from '../../_components/ui/problem.tsx'
import { Card, Skeleton } from '../../_components/ui/section.tsx'
import type { QuoteStep } from '../../_quote/use-request-quote.ts'
import { useTRPC } from '../../_trpc/client.tsx'
import { SigningTrouble } from '../../_wallet/use-typed-data-signing.tsx'
import { useWallet } from '../../_wallet/wallet-provider.tsx'
import type { DraftAttachment } from '../../goals/new/_draft/draft-attachment.ts'
import { useDirectCall } from './use-direct-call.ts'

type Question = { readonly step: QuoteStep; readonly files: readonly DraftAttachment[] }
type Props = Question & { readonly summary: string; readonly asGoal: ReactNode }

/** One skill answers it: a paid call, with its answer in place. */
export function DirectCallOffer({ step, files, summary, asGoal }: Props) {
  const t = useTranslations('home.directCallOffer')
  const trpc = useTRPC()
  const me = useMe()
  const { channels } = useMarket()
  const { openSignIn } = useWallet()
  const listing = useQuery(trpc.registry.get.queryOptions({ agent: step.handle }))
  return (
    <Card className="grid gap-3 text-sm">
      <p>{summary}</p>
      <p className="text-muted">
        {t.rich('agentAnswersFor', {
          agent: () => (
            <Link className="text-link" href={`/agents/${step.handle}`}>
              {step.agentName}
            </Link>
          ),
          money: () => <MoneyAmount amount={step.price} className="font-semibold text-ink" />,
        })}
      </p>
      {listing.error ? (
        <ProblemNotice error={listing.error} />
      ) : channels === null ? null : me === null ? (
        <div>
          <Button tone="primary" onClick={() => openSignIn()}>
            <LogIn aria-hidden /> {t('signInToAsk')}
          </Button>
        </div>
      ) : listing.data ? (
        <Asking key={me.did} listing={listing.data} step={step} files={files} />
      ) : (
        <Skeleton className="h-10" />
      )}
      <p className="text-muted">{asGoal}</p>
    </Card>
  )
}

function Asking({ listing, step, files }: Question & { listing: Listing }) {
  const t = useTranslations('home.directCallOffer')
  const call = useDirectCall(listing, { step, files })
  const { stage, deposit } = call
  if (stage === 'reading') return <Skeleton className="h-10" />
  if (call.answer) return <Answer answer={call.answer} />
  return (
    <div className="grid gap-2">
      {stage === 'elsewhere' ? (
        <p>
          <Link className="underline" href={`/agents/${step.handle}#ask`}>
            {t('askOnItsPage')}
          </Link>
        </p>
      ) : stage === 'empty' && call.channel ? (
        <div className="flex flex-wrap items-center gap-3">
          <TopUpPaymentChannelForm channel={call.channel} amount={deposit} />
          <p>
            {t.rich(call.channel.topUp === null || call.channel.topUp.failure !== null ? 'tooLittleLeft' : 'toppingUp', {
              money: () => <MoneyAmount amount={call.channel ? call.channel.deposit - call.channel.earned : 0n} />,
            })}
          </p>
        </div>
      ) : (
        <div className="flex flex-wrap items-center gap-3">
          <Button tone="primary" isBusy={call.isBusy} onClick={call.start}>
            {stage === 'open' ? <Send aria-hidden /> : <Wallet aria-hidden />}
            {stage === 'open' ? t('ask') : t('setAsideAsk')}
          </Button>
          {call.isBusy && <span role="status">{t('waiting')}</span>}
        </div>
      )}
      {stage === 'none' && (
        <p className="text-muted">{t.rich('setsAside', { money: () => <MoneyAmount amount={deposit} />, agent: listing.name })}</p>
      )}
      <SigningTrouble error={call.signingError} />
      {call.error !== null && <ProblemNotice error={call.error} money={t('noMoneyMoved')} />}
    </div>
  )
}

/** A picture or a table says more than its sentence. */
const isShownBest = (mediaType: string): boolean => /^(?:image\/|text\/csv)/.test(mediaType)

function Answer({ answer }: { answer: CallDetails }) {
  const t = useTranslations('home.directCallOffer')
  return (
    <section aria-label={t('answer')} className="grid gap-2 border-t pt-3">
      <p className="caption">{t('answer')}</p>
      {answer.reason && <p>{answer.reason}</p>}
      {answer.text && <p className="whitespace-pre-wrap font-semibold text-base [overflow-wrap:anywhere]">{answer.text}</p>}
      {answer.artifacts.map((file, index) => (
        <CallFile
          key={`${file.sha256} ${file.name}`}
          callId={answer.call_id}
          file={file}
          isOpen={index === 0 && (!answer.text || isShownBest(file.media_type))}
        />
      ))}
      <p className="text-muted">
        {answer.state === 'answered' ? t.rich('paid', { money: () => <MoneyAmount amount={answer.price} /> }) : t('notPaid')}
      </p>
    </section>
  )
}
