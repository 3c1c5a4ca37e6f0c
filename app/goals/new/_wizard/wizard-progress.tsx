import { Check } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { cn } from '../../../_components/ui/cn.ts'

/** The current step, with links to earlier ones. */
export function WizardProgress({ pages, current, onGo }: { pages: readonly string[]; current: number; onGo: (page: number) => void }) {
  const t = useTranslations('post.wizardProgress')
  return (
    <nav aria-label={t('stepsOfPosting')}>
      <ol className="flex gap-1 lg:sticky lg:top-20 lg:grid lg:gap-1">
        {pages.map((page, index) => (
          <li key={page} className={cn(index === current ? 'flex-1' : 'flex-none md:flex-1')}>
            <button
              type="button"
              disabled={index > current}
              onClick={() => onGo(index)}
              aria-current={index === current ? 'step' : undefined}
              className={cn(
                'flex min-h-11 w-full items-center gap-2.5 rounded-md px-3 text-left text-sm disabled:cursor-default',
                index === current ? 'bg-accent-soft font-medium text-accent-ink' : 'text-muted enabled:hover:bg-plain-soft',
              )}
            >
              <span
                aria-hidden
                className={cn(
                  'figures grid size-6 shrink-0 place-items-center rounded-full border border-line-strong text-xs',
                  index < current && 'border-good bg-good-soft text-good-ink',
                  index === current && 'border-accent',
                )}
              >
                {index < current ? <Check className="size-3.5" /> : index + 1}
              </span>
              <span className={cn(index !== current && 'max-md:sr-only')}>{page}</span>
            </button>
          </li>
        ))}
      </ol>
    </nav>
  )
}
