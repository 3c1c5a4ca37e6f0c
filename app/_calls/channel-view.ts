import type { inferRouterOutputs } from '@trpc/server'
import type { AppRouter } from '@/server/trpc/app-router.ts'

type Read = inferRouterOutputs<AppRouter>['channels']['get']

/** A channel and its calls, for their pages. Amounts of a channel are bigints, of a call decimal strings. */
export type ChannelDetails = Read['channel']
export type CallDetails = Read['calls'][number]
