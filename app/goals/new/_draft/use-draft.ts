'use client'
import { uuidv7 } from '@parley/protocol'
import { useEffect, useState } from 'react'
import { takePassedDraft } from '../../../_quote/files/passed-draft.ts'
import { emptyDraft, type GoalDraft, restoreDraft } from './goal-draft.ts'

const key = 'parley.goal-draft'
/** The maximum characters of a goal's text. */
const maxTextLength = 4_000

const freshId = () => uuidv7(Date.now(), crypto.getRandomValues(new Uint8Array(10)))

/** The draft in this browser: kept through reloads, removed after posting. Null before hydration. */
export function useDraft() {
  const freshDraft = () => emptyDraft(freshId(), new Date())
  const [draft, setDraft] = useState<GoalDraft | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, after hydration
  useEffect(() => {
    const address = new URLSearchParams(window.location.search)
    const text = address.get('text')
    const originalText = (address.get('original') ?? '').slice(0, maxTextLength)
    // A text in the address comes from the search box of the home page, and begins another draft.
    const { files: attachments, values } = takePassedDraft()
    const brought = { text: text?.slice(0, maxTextLength) ?? '', originalText, attachments, values }
    setDraft(text ? { ...freshDraft(), ...brought } : (restoreDraft(localStorage.getItem(key)) ?? freshDraft()))
  }, [])
  useEffect(() => {
    if (!draft) return
    try {
      localStorage.setItem(key, JSON.stringify(draft))
    } catch {
      // Attachments may be larger than the browser keeps; the draft then lives as long as the page.
    }
  }, [draft])
  return {
    draft,
    // Another draft is another post. The old id belongs to the old draft, which may have been posted.
    change: (fields: Partial<GoalDraft>) => setDraft((now) => (now ? { ...now, ...fields, id: freshId() } : now)),
    replace: (next: GoalDraft) => setDraft(next),
    forget: () => localStorage.removeItem(key),
    startOver: () => setDraft(freshDraft()),
  }
}
