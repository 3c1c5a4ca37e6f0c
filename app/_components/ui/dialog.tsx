'use client'
import dynamic from 'next/dynamic'
import { type ReactNode, useState } from 'react'
import type { DialogProps } from './dialog-window.tsx'

// Most readers open none, and the library is a tenth of the code that a first visit loads.
const DialogWindow = dynamic(() => import('./dialog-window.tsx').then((module) => module.DialogWindow))

/** A modal with a title and a focus trap. Escape and the close button close it, and the focus returns. It is loaded when it opens first. */
export function Dialog(props: DialogProps) {
  const [isLoaded, setLoaded] = useState(props.isOpen)
  if (props.isOpen && !isLoaded) setLoaded(true)
  return isLoaded && <DialogWindow {...props} />
}

/** The buttons at the end of a dialog. The main one is last, and full-width on a phone. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className="mt-6 flex flex-col-reverse gap-2 md:flex-row md:justify-end">{children}</div>
}
