'use client'
import { useEffect } from 'react'
import { pageLives } from './early-acts.ts'

/** Tells the script in the head that everything on the page answers by now. */
export function PageLives() {
  useEffect(() => {
    // After the effects of all that stands around it.
    queueMicrotask(() => window.dispatchEvent(new Event(pageLives)))
  }, [])
  return null
}
