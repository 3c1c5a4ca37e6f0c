'use client'
import { Menu as Base } from '@base-ui/react/menu'
import Link from 'next/link'
import type { ReactElement, ReactNode } from 'react'
import { cn } from '../ui/cn.ts'

const row =
  'flex min-h-11 w-full items-center gap-2.5 rounded-sm px-3 text-left outline-none data-[highlighted]:bg-plain-soft md:min-h-9 [&_svg]:size-4 [&_svg]:text-muted'

/** A list of places and acts under a button; arrow keys and first letters move in it. */
export function Menu({ trigger, children }: { trigger: ReactElement; children: ReactNode }) {
  return (
    <Base.Root modal={false}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner sideOffset={8} align="end" className="z-40">
          <Base.Popup className="min-w-56 animate-appear rounded-md border border-line-strong bg-surface p-1 text-ink outline-none">
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

export function MenuLink({ href, isCurrent = false, children }: { href: string; isCurrent?: boolean; children: ReactNode }) {
  return (
    <Base.LinkItem
      closeOnClick
      render={<Link href={href} aria-current={isCurrent ? 'page' : undefined} />}
      className={cn(row, 'aria-[current=page]:font-semibold aria-[current=page]:text-accent-ink')}
    >
      {children}
    </Base.LinkItem>
  )
}

export function MenuAction({ onSelect, children }: { onSelect: () => void; children: ReactNode }) {
  return (
    <Base.Item render={<button type="button" />} nativeButton onClick={onSelect} className={row}>
      {children}
    </Base.Item>
  )
}
