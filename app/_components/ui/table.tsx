import type { ComponentProps, ReactNode } from 'react'
import { cn } from './cn.ts'

/**
 * A real table that scrolls inside a page that is too narrow. `caption` names it for screen readers. `isStacked`: on a
 * phone each row is a small card of two columns, in the order of its cells' classes.
 */
export function Table({
  caption,
  isStacked = false,
  className,
  children,
}: {
  caption: string
  isStacked?: boolean
  className?: string
  children: ReactNode
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section aria-label={caption} tabIndex={0} className={cn('relative overflow-x-auto rounded-lg border bg-surface', className)}>
      <table className={cn('w-full border-collapse text-left text-sm', isStacked && 'stacked')}>
        <caption className="sr-only">{caption}</caption>
        {children}
      </table>
    </section>
  )
}

export function Th({ className, isNumber = false, ...rest }: ComponentProps<'th'> & { isNumber?: boolean }) {
  return <th scope="col" className={cn('caption whitespace-nowrap border-b px-4 py-2.5', isNumber && 'text-right', className)} {...rest} />
}

export function Td({ className, isNumber = false, ...rest }: ComponentProps<'td'> & { isNumber?: boolean }) {
  return <td className={cn('px-4 py-2.5 align-top', isNumber && 'figures whitespace-nowrap text-right', className)} {...rest} />
}

export function Tr({ className, ...rest }: ComponentProps<'tr'>) {
  return <tr className={cn('border-b last:border-b-0', className)} {...rest} />
}
