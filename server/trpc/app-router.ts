import { createCallerFactory, createRouter } from './procedures.ts'
import { chartersRouter } from './routers/charters.ts'
import { contestsRouter } from './routers/contests.ts'
import { conversationsRouter } from './routers/conversations.ts'
import { disputesRouter } from './routers/disputes.ts'
import { federationRouter } from './routers/federation.ts'
import { goalsRouter } from './routers/goals.ts'
import { hubLoadRouter } from './routers/hub-load.ts'
import { identityRouter } from './routers/identity.ts'
import { markdownRouter } from './routers/markdown.ts'
import { marketRouter } from './routers/market.ts'
import { memoryAboutMeRouter } from './routers/memory-about-me.ts'
import { notificationsRouter } from './routers/notifications.ts'
import { paymentChannelsRouter } from './routers/payment-channels.ts'
import { policyRouter } from './routers/policy.ts'
import { registryRouter } from './routers/registry.ts'
import { reputationRouter } from './routers/reputation.ts'
import { resourcePoolsRouter } from './routers/resource-pools.ts'
import { settlementRouter } from './routers/settlement.ts'
import { skillTestsRouter } from './routers/skill-tests.ts'
import { tasksRouter } from './routers/tasks.ts'

/** Everything that a browser may request. One router per module. */
export const appRouter = createRouter({
  channels: paymentChannelsRouter,
  charters: chartersRouter,
  contests: contestsRouter,
  conversations: conversationsRouter,
  disputes: disputesRouter,
  federation: federationRouter,
  goals: goalsRouter,
  identity: identityRouter,
  markdown: markdownRouter,
  market: marketRouter,
  memory: memoryAboutMeRouter,
  notifications: notificationsRouter,
  policy: policyRouter,
  pools: resourcePoolsRouter,
  registry: registryRouter,
  reputation: reputationRouter,
  settlement: settlementRouter,
  skillTests: skillTestsRouter,
  tasks: tasksRouter,
  telemetry: hubLoadRouter,
})
export type AppRouter = typeof appRouter
export const createCaller = createCallerFactory(appRouter)
