'use client'
import { maxGoalText, minGoalText } from '@parley/protocol'
import { useQuery } from '@tanstack/react-query'
import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server'
import { useTRPCClient } from '@/app/_trpc/client.tsx'
import type { AppRouter } from '@/server/trpc/app-router.ts'
import { useDebounced } from './use-debounced.ts'

export type Quote = inferRouterOutputs<AppRouter>['goals']['quote']
export type QuoteStep = Extract<Quote['quote'], { steps: unknown }>['steps'][number]
export type QuotedRequest = inferRouterInputs<AppRouter>['goals']['quote']
export type QuoteState = {
  /** Null: the text is too short to read, or the answer is pending. */
  readonly quote: Quote | null
  readonly isPending: boolean
  readonly error: unknown
  retry(): void
}

/** The quote of a request, read again after each pause in typing. The server reads the text and does not store it. */
export function useRequestQuote(request: QuotedRequest | null): QuoteState {
  const client = useTRPCClient()
  const asked = useDebounced(request)
  const isReadable = isLongEnough(asked)
  const { data, error, isLoading, isPlaceholderData, refetch } = useQuery({
    queryKey: ['quote', asked],
    queryFn: ({ signal }) => (asked ? client.goals.quote.mutate(asked, { signal }) : null),
    enabled: isReadable,
    staleTime: 15_000,
    refetchInterval: 30_000,
    retry: 1,
    placeholderData: (before) => before,
  })
  const isCurrent = JSON.stringify(asked) === JSON.stringify(request)
  return {
    quote: isReadable ? (data ?? null) : null,
    isPending: isLoading || isPlaceholderData || !isCurrent,
    error,
    retry: () => void refetch(),
  }
}

/** Whether the server would read the text at all. */
export function isLongEnough(request: QuotedRequest | null): boolean {
  const length = request?.text.trim().length ?? 0
  return length >= minGoalText && length <= maxGoalText
}
