'use client'
import { useEffect } from 'react'
import { hydratedEvent } from './replay-early-input.ts'

/** Signals the script in the head that the page is hydrated. */
export function AnnounceHydration() {
  useEffect(() => {
    // Runs after the effects of all parent components.
    queueMicrotask(() => window.dispatchEvent(new Event(hydratedEvent)))
  }, [])
  return null
}
