'use client'
import {
  type ComponentProps,
  cloneElement,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import { cn } from '../ui/cn.ts'
import { Link } from '../ui/link.tsx'

const row =
  'flex min-h-11 w-full items-center gap-2.5 rounded-sm px-3 text-left hover:bg-plain-soft md:min-h-9 [&_svg]:size-4 [&_svg]:text-muted'

/**
 * A menu of links and actions under a button. It closes automatically. It is on every page, so it is a few lines
 * of own code. The menu of the library would be a fifth of the code that a first visit loads.
 */
export function Menu({ trigger, children }: { trigger: ReactElement<ComponentProps<'button'>>; children: ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  const root = useRef<HTMLDivElement>(null)
  const id = useId()
  useEffect(() => {
    if (!isOpen) return
    const close = (event: PointerEvent) => !root.current?.contains(event.target as Node) && setOpen(false)
    document.addEventListener('pointerdown', close)
    return () => document.removeEventListener('pointerdown', close)
  }, [isOpen])
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isOpen) return
    const items = [...(root.current?.querySelectorAll<HTMLElement>('[data-menu-item]') ?? [])]
    const at = items.indexOf(document.activeElement as HTMLElement)
    const to = { ArrowDown: at + 1, ArrowUp: at - 1 + (at < 0 ? items.length + 1 : 0), Home: 0, End: items.length - 1 }[event.key]
    if (event.key === 'Escape') {
      setOpen(false)
      root.current?.querySelector('button')?.focus()
    }
    if (to === undefined) return
    event.preventDefault()
    items[(to + items.length) % items.length]?.focus()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it handles the keys of the buttons and links in it
    <div
      ref={root}
      className="relative"
      onKeyDown={onKeyDown}
      onBlur={(event) => event.relatedTarget && !event.currentTarget.contains(event.relatedTarget) && setOpen(false)}
    >
      {cloneElement(trigger, {
        'aria-expanded': isOpen,
        'aria-controls': id,
        onClick: () => setOpen(!isOpen),
      })}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: Enter on a row is a click as well */}
      <ul
        id={id}
        hidden={!isOpen}
        onClick={() => setOpen(false)}
        className="absolute top-full right-0 z-40 mt-2 min-w-56 animate-appear rounded-md border border-line-strong bg-surface p-1 text-ink"
      >
        {children}
      </ul>
    </div>
  )
}

export function MenuLink({ href, isCurrent = false, children }: { href: string; isCurrent?: boolean; children: ReactNode }) {
  return (
    <li>
      <Link
        href={href}
        data-menu-item
        aria-current={isCurrent ? 'page' : undefined}
        className={cn(row, 'aria-[current=page]:font-semibold aria-[current=page]:text-accent-ink')}
      >
        {children}
      </Link>
    </li>
  )
}

export function MenuAction({ onSelect, children }: { onSelect: () => void; children: ReactNode }) {
  return (
    <li>
      <button type="button" data-menu-item onClick={onSelect} className={row}>
        {children}
      </button>
    </li>
  )
}
