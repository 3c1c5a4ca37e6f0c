'use client'
import dynamic from 'next/dynamic'
import type { ExternalToast } from 'sonner'

// No toast appears in a page's first second, so the code is loaded after the page.
const Sonner = dynamic(() => import('sonner').then((module) => module.Toaster), { ssr: false })

const showToast = (kind: 'success' | 'error') => (title: string, more?: ExternalToast) =>
  void import('sonner').then((module) => module.toast[kind](title, more))
export const toast = { success: showToast('success'), error: showToast('error') }

/** Short messages that a reader may miss. Important ones are also shown on the page. */
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
