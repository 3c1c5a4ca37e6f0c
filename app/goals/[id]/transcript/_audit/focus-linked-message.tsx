'use client'
import { useRouter } from 'next/navigation'
import { useEffect } from 'react'

/** Opens the page of a linked message, focuses it, and keeps it marked. */
export function FocusLinkedMessage({ goalId }: { goalId: string }) {
  const router = useRouter()
  useEffect(() => {
    const jump = () => {
      const seq = /^#m-(\d{1,9})$/.exec(window.location.hash)?.[1]
      if (!seq) return
      const entry = document.getElementById(`m-${seq}`)
      if (entry) {
        entry.scrollIntoView({ block: 'center' })
        entry.focus({ preventScroll: true })
        return
      }
      // Not on this page, or filtered out: opens its page without the filter, once.
      const target = `/goals/${goalId}/transcript?after=${Math.max(0, Number(seq) - 20)}`
      if (window.location.pathname + window.location.search !== target) router.replace(`${target}#m-${seq}`)
    }
    jump()
    window.addEventListener('hashchange', jump)
    return () => window.removeEventListener('hashchange', jump)
  })
  return null
}
