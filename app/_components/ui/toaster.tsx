'use client'
import { Toaster as Sonner } from 'sonner'

export { toast } from 'sonner'

/** Short news that may be missed. What must be seen also has a place on the page. */
export function Toaster() {
  return (
    <Sonner
      position="bottom-right"
      toastOptions={{
        unstyled: true,
        classNames: {
          toast: 'flex w-full items-start gap-3 rounded-md border border-line-strong bg-surface px-4 py-3 text-ink text-sm',
          title: 'font-medium',
          description: 'text-muted',
          error: 'border-bad',
          success: 'border-good',
        },
      }}
    />
  )
}
