'use client'
import { RotateCcw } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { Button, ButtonLink } from './_components/ui/button.tsx'
import { PageHead } from './_components/ui/section.tsx'

/** The error page. The error's message stays on the server; the digest identifies it in the log. */
export default function ErrorPage({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  const t = useTranslations('shell.error')
  return (
    <div role="alert">
      <title>{t('somethingBrokeParley')}</title>
      <PageHead title={t('pageCouldNotShown')} lead={t('somethingBrokeWhileBeingPut')} />
      {error.digest && (
        <p className="mb-6 text-muted text-sm">
          {t.rich('giveIdToOperator', { id: () => <span className="figures text-ink">{error.digest}</span> })}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <Button tone="primary" onClick={reset}>
          <RotateCcw aria-hidden />
          {t('tryAgain')}
        </Button>
        <ButtonLink href="/">{t('toFrontPage')}</ButtonLink>
      </div>
    </div>
  )
}
