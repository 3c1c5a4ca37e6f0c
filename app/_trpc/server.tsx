import { dehydrate, HydrationBoundary } from '@tanstack/react-query'
import { createTRPCOptionsProxy } from '@trpc/tanstack-react-query'
import { headers } from 'next/headers'
import { notFound, redirect } from 'next/navigation'
import { cache, type ReactNode } from 'react'
import { appRouter, createCaller } from '@/server/trpc/app-router.ts'
import { createRequestContext } from '@/server/trpc/request-context.ts'
import { createQueryClient } from './query-client.ts'

/** The context of the current request: session, actor and services. One per render. */
export const getRequestContext = cache(async () => createRequestContext({ headers: new Headers(await headers()), reply: null }))

/** The same procedures as over HTTP, without a request: `const api = await getApi(); await api.registry.get(…)`. */
export const getApi = cache(async () => createCaller(await getRequestContext(), { onError: ({ error }) => showWait(error) }))

export const getQueryClient = cache(createQueryClient)

/** For pages that pass live data to the browser: `await getQueryClient().prefetchQuery(trpc.x.y.queryOptions(…))`, then `<Hydrated>`. */
export const trpc = createTRPCOptionsProxy({ ctx: getRequestContext, router: appRouter, queryClient: getQueryClient })

export function Hydrated({ children }: { children: ReactNode }) {
  return <HydrationBoundary state={dehydrate(getQueryClient())}>{children}</HydrationBoundary>
}

/** Redirects a page over its rate limit to the static page of that problem, which makes no further requests. */
function showWait(error: unknown): void {
  if ((error as { code?: unknown }).code === 'TOO_MANY_REQUESTS') redirect('/problems/rate.exceeded')
}

/** Shows the not-found page if the object is missing or not readable, and the rate limit page after too many requests. */
export async function orNotFound<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    showWait(error)
    const code = (error as { code?: unknown }).code
    if (code === 'NOT_FOUND' || code === 'BAD_REQUEST') notFound()
    throw error
  }
}
