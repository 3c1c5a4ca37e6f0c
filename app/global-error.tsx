'use client'
import { NextIntlClientProvider, useTranslations } from 'next-intl'
import './globals.css'
import shell from './_messages/en/shell.json'
import { locales } from './_messages/locales.ts'

type Props = { error: Error & { digest?: string }; reset: () => void }

/** The layout failed, probably because the database or the chain is unreachable. No language is known then. */
export default function GlobalError(props: Props) {
  return (
    <NextIntlClientProvider locale={locales[0]} messages={{ shell }}>
      <NotAvailable {...props} />
    </NextIntlClientProvider>
  )
}

function NotAvailable({ error, reset }: Props) {
  const t = useTranslations('shell.globalError')
  return (
    <html lang={locales[0]}>
      <body>
        <title>{t('parleyNotAvailable')}</title>
        <main role="alert" className="mx-auto grid max-w-xl gap-4 px-4 py-24">
          <h1 className="font-semibold text-2xl">{t('parleyNotAvailable')}</h1>
          <p className="text-muted">{t('serverCannotReachDatabaseOrChain')}</p>
          {error.digest && <p className="figures text-faint text-sm">{error.digest}</p>}
          <button
            type="button"
            onClick={reset}
            className="min-h-11 justify-self-start rounded-md bg-accent px-4 font-medium text-on-accent"
          >
            {t('tryAgain')}
          </button>
        </main>
      </body>
    </html>
  )
}
