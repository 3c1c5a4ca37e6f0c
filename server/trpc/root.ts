import { createCallerFactory, createRouter } from './init.ts'
import { identityRouter } from './routers/identity.ts'
import { marketRouter } from './routers/market.ts'
import { registryRouter } from './routers/registry.ts'
import { reputationRouter } from './routers/reputation.ts'

/** Everything a browser may ask or do. One router per room. */
export const appRouter = createRouter({
  identity: identityRouter,
  market: marketRouter,
  registry: registryRouter,
  reputation: reputationRouter,
})
export type AppRouter = typeof appRouter
export const createCaller = createCallerFactory(appRouter)
