import { dehydrate, HydrationBoundary } from '@tanstack/react-query'
import { createTRPCOptionsProxy } from '@trpc/tanstack-react-query'
import { headers } from 'next/headers'
import { notFound } from 'next/navigation'
import { cache, type ReactNode } from 'react'
import { createCall } from '@/server/trpc/call.ts'
import { appRouter, createCaller } from '@/server/trpc/root.ts'
import { createQueryClient } from './query-client.ts'

/** The call of the page being rendered: session, actor, world. */
export const getCall = cache(async () => createCall({ headers: new Headers(await headers()), reply: null }))

/** The same procedures as over HTTP, called in place: `const api = await getApi(); await api.registry.get(…)`. */
export const getApi = cache(async () => createCaller(await getCall()))

export const getQueryClient = cache(createQueryClient)

/** For pages that hand live data on: `await getQueryClient().prefetchQuery(trpc.x.y.queryOptions(…))`, then `<Hydrated>`. */
export const trpc = createTRPCOptionsProxy({ ctx: getCall, router: appRouter, queryClient: getQueryClient })

export function Hydrated({ children }: { children: ReactNode }) {
  return <HydrationBoundary state={dehydrate(getQueryClient())}>{children}</HydrationBoundary>
}

/** Shows the not-found page where the thing, or the reader's right to it, is not there. */
export async function orNotFound<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    const code = (error as { code?: unknown }).code
    if (code === 'NOT_FOUND' || code === 'BAD_REQUEST') notFound()
    throw error
  }
}
