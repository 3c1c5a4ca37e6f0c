'use client'
import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { IconButton } from './button.tsx'
import { cn } from './cn.ts'

/** A modal with a title and a focus trap. Escape and the close button close it, and the focus returns. */
export function Dialog({
  isOpen,
  onOpenChange,
  title,
  description,
  isWide = false,
  children,
}: {
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
  title: ReactNode
  description?: ReactNode
  isWide?: boolean
  children: ReactNode
}) {
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

/** The buttons at the end of a dialog. The main one is last, and full-width on a phone. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className="mt-6 flex flex-col-reverse gap-2 md:flex-row md:justify-end">{children}</div>
}
