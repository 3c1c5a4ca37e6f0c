'use client'
import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { IconButton } from './button.tsx'
import { cn } from './cn.ts'

export type DialogProps = {
  readonly isOpen: boolean
  readonly onOpenChange: (isOpen: boolean) => void
  readonly title: ReactNode
  readonly description?: ReactNode
  readonly isWide?: boolean
  readonly children: ReactNode
}

/** The open dialog, with the library that traps the focus. */
export function DialogWindow({ isOpen, onOpenChange, title, description, isWide = false, children }: DialogProps) {
  const t = useTranslations('ui.dialog')
  return (
    <Base.Root open={isOpen} onOpenChange={onOpenChange}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 animate-appear bg-black/45" />
        <Base.Popup
          className={cn(
            'fixed inset-x-0 bottom-0 z-50 max-h-[92dvh] animate-appear overflow-y-auto rounded-t-lg border border-line-strong bg-surface p-5 pb-8 text-ink',
            'md:inset-auto md:top-1/2 md:left-1/2 md:w-[min(30rem,calc(100vw-2rem))] md:-translate-x-1/2 md:-translate-y-1/2 md:rounded-lg md:p-6',
            isWide && 'md:w-[min(44rem,calc(100vw-2rem))]',
          )}
        >
          <div className="flex items-start justify-between gap-4">
            <Base.Title className="font-semibold text-lg leading-snug">{title}</Base.Title>
            <Base.Close render={<IconButton label={t('close')} className="-mt-2 -mr-2" />}>
              <X aria-hidden />
            </Base.Close>
          </div>
          {description && <Base.Description className="mt-1 text-muted">{description}</Base.Description>}
          <div className="mt-4">{children}</div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
