import { dehydrate, HydrationBoundary } from '@tanstack/react-query'
import { createTRPCOptionsProxy } from '@trpc/tanstack-react-query'
import { headers } from 'next/headers'
import { notFound, redirect } from 'next/navigation'
import { cache, type ReactNode } from 'react'
import { createRequestContext } from '@/server/trpc/request-context.ts'
import { appRouter, createCaller } from '@/server/trpc/root.ts'
import { createQueryClient } from './query-client.ts'

/** The call of the page being rendered: session, actor, world. */
export const getRequestContext = cache(async () => createRequestContext({ headers: new Headers(await headers()), reply: null }))

/** The same procedures as over HTTP, called in place: `const api = await getApi(); await api.registry.get(…)`. */
export const getApi = cache(async () => createCaller(await getRequestContext(), { onError: ({ error }) => showWait(error) }))

export const getQueryClient = cache(createQueryClient)

/** For pages that hand live data on: `await getQueryClient().prefetchQuery(trpc.x.y.queryOptions(…))`, then `<Hydrated>`. */
export const trpc = createTRPCOptionsProxy({ ctx: getRequestContext, router: appRouter, queryClient: getQueryClient })

export function Hydrated({ children }: { children: ReactNode }) {
  return <HydrationBoundary state={dehydrate(getQueryClient())}>{children}</HydrationBoundary>
}

/** Redirects a page that is over its rate limit to the explanation of that problem, which asks the server for nothing more. */
function showWait(error: unknown): void {
  if ((error as { code?: unknown }).code === 'TOO_MANY_REQUESTS') redirect('/problems/rate.exceeded')
}

/** Shows the not-found page where the thing, or the reader's right to it, is not there, and what to do where it asks too often. */
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
