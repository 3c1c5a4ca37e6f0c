'use client'
import { useEffect } from 'react'
import { pageLives } from './early-acts.ts'

/** Tells the script in the head that the page is hydrated. */
export function PageLives() {
  useEffect(() => {
    // Runs after the effects of all parent components.
    queueMicrotask(() => window.dispatchEvent(new Event(pageLives)))
  }, [])
  return null
}
