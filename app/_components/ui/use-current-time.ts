'use client'
import { useSyncExternalStore } from 'react'
import { useRequestTime } from '../market-provider.tsx'

const tickMs = 20_000

let current = new Date()
let timer: ReturnType<typeof setInterval> | undefined
const listeners = new Set<() => void>()

function tick(): void {
  current = new Date()
  for (const listener of listeners) listener()
}

/** One timer for all times of a page. */
function subscribe(listener: () => void): () => void {
  // A page that opens later than the last tick begins with the present time.
  if (listeners.size === 0) current = new Date()
  listeners.add(listener)
  timer ??= setInterval(tick, tickMs)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** The current time, every 20 s. Before hydration it is that of the server's request, so that both sides render the same. */
export function useCurrentTime(): { readonly now: Date; readonly isHydrated: boolean } {
  const requestTime = useRequestTime()
  const now = useSyncExternalStore(
    subscribe,
    () => current,
    () => null,
  )
  return now === null ? { now: new Date(requestTime), isHydrated: false } : { now, isHydrated: true }
}
