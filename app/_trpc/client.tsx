'use client'
import { QueryClientProvider } from '@tanstack/react-query'
import { createTRPCClient, httpBatchLink, httpLink, httpSubscriptionLink, splitLink } from '@trpc/client'
import { createTRPCContext } from '@trpc/tanstack-react-query'
import { type ReactNode, useState } from 'react'
import type { AppRouter } from '@/server/trpc/app-router.ts'
import { transformer } from '@/server/trpc/transformer.ts'
import { liveSubscriptionLink } from './live-subscription-link.ts'
import { createQueryClient } from './query-client.ts'

export const { TRPCProvider, useTRPC, useTRPCClient } = createTRPCContext<AppRouter>()

function createClient() {
  const url = '/api/trpc'
  return createTRPCClient<AppRouter>({
    links: [
      splitLink({
        condition: (op) => op.type === 'subscription',
        true: liveSubscriptionLink(httpSubscriptionLink({ url, transformer })),
        // Queries share a request. Each mutation has its own, so that a slow one does not delay another.
        false: splitLink({
          condition: (op) => op.type === 'mutation',
          true: httpLink({ url, transformer }),
          false: httpBatchLink({ url, transformer, maxURLLength: 4_000, maxItems: 16 }),
        }),
      }),
    ],
  })
}

/** The provider of `useTRPC()`. */
export function ApiProvider({ children }: { children: ReactNode }) {
  const [queryClient] = useState(createQueryClient)
  const [client] = useState(createClient)
  return (
    <QueryClientProvider client={queryClient}>
      <TRPCProvider trpcClient={client} queryClient={queryClient}>
        {children}
      </TRPCProvider>
    </QueryClientProvider>
  )
}
