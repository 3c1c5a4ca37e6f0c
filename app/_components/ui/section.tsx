import type { ComponentProps, ReactNode } from 'react'
import { cn } from './cn.ts'

export function Card({ className, ...rest }: ComponentProps<'div'>) {
  return <div className={cn('rounded-lg border bg-surface p-4 md:p-5', className)} {...rest} />
}

/** A section with a heading, as a landmark. `aside`: content at the right of the heading. */
export function Section({
  title,
  aside,
  level = 2,
  id,
  className,
  children,
}: {
  title: ReactNode
  aside?: ReactNode
  level?: 2 | 3
  id?: string
  className?: string
  children: ReactNode
}) {
  const Heading = `h${level}` as const
  return (
    <section id={id} className={cn('min-w-0', className)}>
      <div className="mb-3 flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <Heading className={level === 2 ? 'font-semibold text-lg' : 'font-semibold'}>{title}</Heading>
        {aside && <div className="text-muted text-sm">{aside}</div>}
      </div>
      {children}
    </section>
  )
}

/** The page header: title, one line of description, and main actions. */
export function PageHead({
  eyebrow,
  title,
  lead,
  actions,
}: {
  eyebrow?: ReactNode
  title: ReactNode
  lead?: ReactNode
  actions?: ReactNode
}) {
  return (
    <header className="rule-double mb-6 flex flex-wrap items-end justify-between gap-x-6 gap-y-4 pb-5 md:mb-8">
      <div className="min-w-0 max-w-3xl">
        {eyebrow && <div className="mb-2 flex flex-wrap items-center gap-2 text-muted text-sm">{eyebrow}</div>}
        <h1 className="break-words font-semibold text-2xl leading-tight md:text-3xl">{title}</h1>
        {lead && <p className="mt-2 text-muted">{lead}</p>}
      </div>
      {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
    </header>
  )
}

/** A number with its label. */
export function Stat({ label, children, hint }: { label: ReactNode; children: ReactNode; hint?: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="caption">{label}</dt>
      <dd className="mt-1 font-semibold text-xl leading-tight">{children}</dd>
      {hint && <dd className="mt-0.5 text-muted text-sm">{hint}</dd>}
    </div>
  )
}

/** An empty state: a title, the reason, and one next action. */
export function EmptyState({
  icon,
  title,
  children,
  action,
}: {
  icon?: ReactNode
  title: string
  children?: ReactNode
  action?: ReactNode
}) {
  return (
    <div className="grid justify-items-center gap-2 rounded-lg border border-line-strong border-dashed px-6 py-12 text-center [&_svg]:size-7 [&_svg]:text-faint">
      {icon}
      <p className="font-semibold">{title}</p>
      {children && <div className="max-w-md text-muted">{children}</div>}
      {action && <div className="mt-3 [&_svg]:size-4 [&_svg]:text-current">{action}</div>}
    </div>
  )
}

/** A placeholder for loading content, invisible for the first 300 ms. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden className={cn('delayed h-4 rounded-sm bg-plain-soft', className)} />
}
