'use client'
import { TriangleAlert } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useSyncExternalStore } from 'react'
import { Button } from '../_components/ui/button.tsx'
import { Dialog, DialogActions } from '../_components/ui/dialog.tsx'
import { Notice } from '../_components/ui/notice.tsx'
import { Chip } from '../_components/ui/state-chip.tsx'
import type { SigningRequest } from './describe-typed-data-or-transaction.ts'
import { pendingRequest } from './development-wallet.ts'

const titles = { message: 'signMessage', payment: 'setMoneyAside', other: 'sign' } as const

/** True while the development wallet waits for an answer. */
export function useDevelopmentRequest() {
  return useSyncExternalStore(pendingRequest.watch, pendingRequest.get, () => null)
}

/** The confirmation dialog of the development wallet: the exact data to sign. */
export function DevelopmentWalletDialog() {
  const t = useTranslations('wallet.developmentWalletDialog')
  const pending = useDevelopmentRequest()
  if (!pending) return null
  const { request, answer } = pending
  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && answer(false)}
      title={request.kind === 'other' ? request.title : t(titles[request.kind])}
      description={
        <Chip tone="bad" icon={TriangleAlert}>
          {t('developmentWallet')}
        </Chip>
      }
    >
      <Details request={request} />
      <DialogActions>
        <Button onClick={() => answer(false)}>{t('reject')}</Button>
        <Button tone="primary" onClick={() => answer(true)}>
          {t('approve')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

function Details({ request }: { request: SigningRequest }) {
  const t = useTranslations('wallet.developmentWalletDialog')
  switch (request.kind) {
    case 'message':
      return <Raw text={request.text} label={t('message')} isOpen />
    case 'payment':
      return (
        <div className="grid gap-4">
          <p className="rule-double pb-3">
            <span className="caption block">{t('amount')}</span>
            <span className="figures font-semibold text-2xl">{request.amount}</span>
          </p>
          {request.contract === null && <Notice kind="warning" title={t('recipientNoContractOfParleys')} />}
          <Lines
            lines={[
              [t('from'), request.from],
              [request.contract === null ? t('to') : t('toParleys', { contract: request.contract }), request.to],
              [t('canUsedUntil'), request.usableUntil],
            ]}
          />
          <Raw text={request.raw} label={t('allOf')} />
        </div>
      )
    case 'other':
      return (
        <div className="grid gap-4">
          <Lines lines={request.lines} />
          <Raw text={request.raw} label={t('allOf')} />
        </div>
      )
    default:
      return request satisfies never
  }
}

function Lines({ lines }: { lines: readonly (readonly [string, string])[] }) {
  return (
    <dl className="grid gap-2 text-sm">
      {lines.map(([label, value]) => (
        <div key={label}>
          <dt className="caption">{label}</dt>
          <dd className="figures break-all">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function Raw({ text, label, isOpen = false }: { text: string; label: string; isOpen?: boolean }) {
  return (
    <details open={isOpen} className="rounded-md border bg-sunken">
      <summary className="min-h-9 px-3 py-2 font-medium text-sm">{label}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre tabIndex={0} className="figures max-h-80 overflow-auto whitespace-pre-wrap [overflow-wrap:anywhere] px-3 pb-3 text-[0.8125rem]">
        {text}
      </pre>
    </details>
  )
}
