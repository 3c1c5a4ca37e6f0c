import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { cn } from './cn.ts'

const kinds = {
  info: { icon: Info, look: 'border-line-strong bg-surface' },
  good: { icon: CircleCheck, look: 'border-good bg-good-soft text-good-ink' },
  warning: { icon: TriangleAlert, look: 'border-amber bg-amber-soft text-amber-ink' },
  bad: { icon: CircleAlert, look: 'border-bad bg-bad-soft text-bad-ink' },
} as const

/** A permanent message on the page. Errors use an assertive live region, everything else a polite one. */
export function Notice({
  kind = 'info',
  title,
  className,
  children,
}: {
  kind?: keyof typeof kinds
  title?: ReactNode
  className?: string
  children?: ReactNode
}) {
  const { icon: Icon, look } = kinds[kind]
  return (
    <div role={kind === 'bad' ? 'alert' : 'status'} className={cn('flex gap-3 rounded-md border px-4 py-3 text-sm', look, className)}>
      <Icon aria-hidden className="mt-0.5 size-4.5 shrink-0" />
      <div className="min-w-0 [overflow-wrap:anywhere]">
        {title && <p className="font-semibold">{title}</p>}
        {children}
      </div>
    </div>
  )
}
