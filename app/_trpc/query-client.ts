import { defaultShouldDehydrateQuery, QueryClient } from '@tanstack/react-query'
import superjson from 'superjson'

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      // What a page was rendered with is not asked for again at once.
      queries: { staleTime: 10_000, retry: (count, error) => count < 2 && !isFinal(error) },
      dehydrate: {
        serializeData: superjson.serialize,
        shouldDehydrateQuery: (query) => defaultShouldDehydrateQuery(query) || query.state.status === 'pending',
      },
      hydrate: { deserializeData: superjson.deserialize },
    },
  })
}

/** Asking again can't help where the request itself was refused. */
function isFinal(error: unknown): boolean {
  const status = (error as { data?: { httpStatus?: number } | null }).data?.httpStatus
  return status !== undefined && status < 500 && status !== 429
}
