'use client'
import { GoalBrief } from '@parley/protocol'
import { useQuery } from '@tanstack/react-query'
import type { inferRouterOutputs } from '@trpc/server'
import { useEffect, useState } from 'react'
import { useTRPCClient } from '@/app/_trpc/client.tsx'
import type { AppRouter } from '@/server/trpc/app-router.ts'
import { artifactTypeOf, type GoalDraft } from '../../../_views/goal-draft.ts'

export type Quote = inferRouterOutputs<AppRouter>['goals']['quote']
export type QuoteState = {
  /** Null: the text is too short to read, or the answer is pending. */
  readonly quote: Quote | null
  readonly isPending: boolean
  readonly error: unknown
  retry(): void
}

/** The text is read after this pause in typing. */
const pauseMs = 500
/** As much of a file as the quote needs to know its columns and cells, and of all files together. Bytes. */
const maxHead = 30_000
const maxHeads = 90_000

/** The quote of a draft, read again after each pause in typing. The draft stays in this browser; its text is read and not stored. */
export function useQuote(draft: GoalDraft | null, budget: bigint | null): QuoteState {
  const client = useTRPCClient()
  const asked = usePaused(draft && requestOf(draft, budget))
  const isReadable = GoalBrief.shape.text.safeParse(asked?.text).success
  const { data, error, isLoading, isPlaceholderData, refetch } = useQuery({
    queryKey: ['quote', asked],
    queryFn: ({ signal }) => (asked ? client.goals.quote.mutate(asked, { signal }) : null),
    enabled: isReadable,
    staleTime: 15_000,
    refetchInterval: 30_000,
    retry: 1,
    placeholderData: (before) => before,
  })
  const isCurrent = JSON.stringify(asked) === JSON.stringify(draft && requestOf(draft, budget))
  return {
    quote: isReadable ? (data ?? null) : null,
    isPending: isLoading || isPlaceholderData || !isCurrent,
    error,
    retry: () => void refetch(),
  }
}

function requestOf(draft: GoalDraft, budget: bigint | null) {
  const size = Math.min(maxHead, maxHeads / Math.max(1, draft.attachments.length))
  return {
    text: draft.text.trim(),
    criteria: draft.criteria.map((one) => one.trim()).filter((one) => one !== ''),
    files: draft.attachments.map((file) => ({
      name: file.name,
      media_type: file.mediaType,
      artifact_type: artifactTypeOf(file),
      ...(file.mediaType.startsWith('image/') ? {} : headOf(file.content, size)),
    })),
    ...(budget !== null && budget > 0n && { budget: budget.toString() }),
  }
}

/** The beginning of a Base64 text file. A character that is cut in two becomes a replacement character. */
function headOf(content: string, size: number) {
  const length = Math.floor(size / 3) * 4
  const bytes = Uint8Array.from(atob(content.slice(0, length)), (char) => char.charCodeAt(0))
  return { head: new TextDecoder().decode(bytes), is_whole: content.length <= length }
}

/** The value after it has not changed for a moment. */
function usePaused<Value>(value: Value): Value {
  const [paused, setPaused] = useState(value)
  const key = JSON.stringify(value)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the value
  useEffect(() => {
    const timer = setTimeout(() => setPaused(value), pauseMs)
    return () => clearTimeout(timer)
  }, [key])
  return paused
}
