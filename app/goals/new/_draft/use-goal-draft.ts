'use client'
import { uuidv7 } from '@parley/protocol'
import { useEffect, useState } from 'react'
import { useTRPCClient } from '@/app/_trpc/client.tsx'
import { useMarket } from '../../../_components/market-provider.tsx'
import { encodeBase64 } from '../../../_quote/files/encode-base64.ts'
import { takePassedDraft } from '../../../_quote/files/pass-draft-to-goal-form.ts'
import { attachedFilesOf, draftFromEarlierGoal } from './draft-from-earlier-goal.ts'
import { emptyDraft, type GoalDraft, restoreDraft } from './goal-draft.ts'

const key = 'parley.goal-draft'
/** The maximum characters of a goal's text. */
const maxTextLength = 4_000

/** An attachment has at most 2 MiB. */
const fileTimeoutMs = 30_000

const freshId = () => uuidv7(Date.now(), crypto.getRandomValues(new Uint8Array(10)))
const freshDraft = () => emptyDraft(freshId(), new Date())

/**
 * The draft in this browser: kept through reloads, removed after posting. Null before hydration, and while a repeated goal is read.
 * `repeatError`: why the goal in the address cannot be repeated.
 */
export function useGoalDraft() {
  const [draft, setDraft] = useState<GoalDraft | null>(null)
  const [repeatError, setRepeatError] = useState<unknown>(null)
  // A link to a repeated goal does not replace the saved draft before the person changes something.
  const [isUntouched, setUntouched] = useState(false)
  const readGoal = useReadGoal()
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, after hydration
  useEffect(() => {
    const address = new URLSearchParams(window.location.search)
    const saved = () => restoreDraft(localStorage.getItem(key)) ?? freshDraft()
    const goalId = address.get('repeat')
    if (goalId !== null) {
      const terms = { budget: address.get('budget'), follows: address.has('continue') }
      setUntouched(true)
      void readGoal(goalId, terms).then(setDraft, (error: unknown) => {
        setRepeatError(error)
        setUntouched(false)
        setDraft(saved())
      })
      return
    }
    const text = address.get('text')
    const originalText = (address.get('original') ?? '').slice(0, maxTextLength)
    // A text in the address comes from the search box of the home page, and begins another draft.
    const { files: attachments, values } = takePassedDraft()
    const brought = { text: text?.slice(0, maxTextLength) ?? '', originalText, attachments, values }
    setDraft(text ? { ...freshDraft(), ...brought } : saved())
  }, [])
  useEffect(() => {
    if (!draft || isUntouched) return
    try {
      localStorage.setItem(key, JSON.stringify(draft))
    } catch {
      // Attachments may be larger than the browser keeps; the draft then lives as long as the page.
    }
  }, [draft, isUntouched])
  return {
    draft,
    repeatError,
    // Another draft is another post. The old id belongs to the old draft, which may have been posted.
    change: (fields: Partial<GoalDraft>) => {
      setUntouched(false)
      setDraft((now) => (now ? { ...now, ...fields, id: freshId() } : now))
    },
    replace: (next: GoalDraft) => {
      setUntouched(false)
      setDraft(next)
    },
    forget: () => {
      if (!isUntouched) localStorage.removeItem(key)
    },
    startOver: () => {
      setUntouched(false)
      setDraft(freshDraft())
    },
  }
}

/** Reads a goal and its attached files as a draft. */
function useReadGoal() {
  const client = useTRPCClient()
  const { decimals } = useMarket()
  return async (goalId: string, terms: { readonly budget: string | null; readonly follows: boolean }): Promise<GoalDraft> => {
    const run = await client.goals.getPage.query({ goal_id: goalId })
    const draft = draftFromEarlierGoal(run, { ...terms, decimals, id: freshId(), now: new Date() })
    return { ...draft, attachments: await Promise.all(attachedFilesOf(run).map((file) => readFile(run.goal.id, file))) }
  }
}

type File = ReturnType<typeof attachedFilesOf>[number]

async function readFile(goalId: string, { sha256, name, media_type: mediaType, size }: File): Promise<GoalDraft['attachments'][number]> {
  const response = await fetch(`/api/artifacts/${goalId}/${sha256}`, { signal: AbortSignal.timeout(fileTimeoutMs) })
  if (!response.ok) throw new Error(`HTTP ${response.status}`)
  return { name, mediaType, content: encodeBase64(new Uint8Array(await response.arrayBuffer())), size }
}
