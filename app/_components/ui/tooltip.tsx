'use client'
import { Tooltip as Base } from '@base-ui/react/tooltip'
import type { ReactElement, ReactNode } from 'react'

/** A word on hover and focus. Never the only place of something that must be known. */
export function Tooltip({ text, children }: { text: ReactNode; children: ReactElement }) {
  return (
    <Base.Root>
      <Base.Trigger render={children} delay={300} />
      <Base.Portal>
        <Base.Positioner sideOffset={6}>
          <Base.Popup className="max-w-72 animate-appear rounded-sm border border-line-strong bg-ink px-2.5 py-1.5 text-paper text-sm leading-snug">
            {text}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
