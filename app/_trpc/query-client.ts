import { defaultShouldDehydrateQuery, QueryClient } from '@tanstack/react-query'
import { transformer } from '@/server/trpc/transformer.ts'
import { keepEqualData } from './keep-equal-data.ts'

const isServer = typeof window === 'undefined'

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      // Data of the server's render is not fetched again at once. A page that is being rendered does not retry, because its reader waits.
      queries: {
        staleTime: 10_000,
        structuralSharing: keepEqualData,
        retry: isServer ? false : (count, error) => count < 2 && !isFinal(error),
      },
      dehydrate: {
        serializeData: transformer.output.serialize,
        shouldDehydrateQuery: (query) => defaultShouldDehydrateQuery(query) || query.state.status === 'pending',
      },
      hydrate: { deserializeData: transformer.output.deserialize },
    },
  })
}

/** A retry cannot help if the request itself was refused. */
function isFinal(error: unknown): boolean {
  const status = (error as { data?: { httpStatus?: number } | null }).data?.httpStatus
  return status !== undefined && status < 500 && status !== 429
}
