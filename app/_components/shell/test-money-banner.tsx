import { FlaskConical } from 'lucide-react'
import { useTranslations } from 'next-intl'

export function TestMoneyBanner() {
  const t = useTranslations('shell.testMoneyBanner')
  return (
    <aside aria-label={t('testNetwork')} className="border-b bg-amber-soft text-amber-ink text-sm">
      <p className="mx-auto flex max-w-6xl items-center gap-2 px-4 py-1.5 md:px-6">
        <FlaskConical aria-hidden className="size-4 shrink-0" />
        {t('testMoneyOnLocalChain')}
      </p>
    </aside>
  )
}
