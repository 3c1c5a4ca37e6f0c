import { Check, CircleAlert, Hand, Hourglass, type LucideIcon, Play, Undo2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { cn } from '../../../_components/ui/cn.ts'
import type { StatusSentence, StatusTone } from './status-sentence.ts'

const looks: { readonly [tone in StatusTone]: { readonly icon: LucideIcon; readonly look: string } } = {
  waiting: { icon: Hourglass, look: 'border-line-strong bg-surface' },
  working: { icon: Play, look: 'border-accent bg-accent-soft text-accent-ink' },
  'asks-you': { icon: Hand, look: 'border-amber bg-amber-soft text-amber-ink' },
  good: { icon: Check, look: 'border-good bg-good-soft text-good-ink' },
  ended: { icon: Undo2, look: 'border-line-strong bg-plain-soft' },
  bad: { icon: CircleAlert, look: 'border-bad bg-bad-soft text-bad-ink' },
}

/** The status in one sentence. Screen readers announce its changes. */
export function StatusLine({ status, action }: { status: StatusSentence; action: ReactNode }) {
  const { icon: Icon, look } = looks[status.tone]
  return (
    <div className="mb-8 flex flex-wrap items-stretch gap-3">
      <p
        role="status"
        aria-live="polite"
        className={cn('flex min-h-11 flex-1 basis-72 items-center gap-3 rounded-md border-l-4 px-4 py-2.5 font-medium leading-snug', look)}
      >
        <Icon aria-hidden className="size-5 shrink-0" />
        <span>{status.text}</span>
      </p>
      {action}
    </div>
  )
}
