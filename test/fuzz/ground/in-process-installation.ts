/** A place to ask without a built web: the world of a test, with jobs, a hub and Stripe's stand-in in this process. */
import { startStripeFake } from '../../../server/embedded/stripe-fake/start-stripe-fake.ts'
import { createWorld, type TestWorld } from '../../support/world.ts'
import { closedOrigin } from '../operations/notification-recipes.ts'
import type { Place } from '../operations/operations.ts'
import { operator, webhookSecret } from './installation.ts'
import { createScene } from './scene.ts'

export type Ground = AsyncDisposable & { readonly world: TestWorld; openPlace(): Promise<Place> }

export async function openGround(): Promise<Ground> {
  const webUrl = 'http://localhost:3000'
  const stripe = await startStripeFake({ file: null, port: 0, webhookSecret, webhookUrl: `${webUrl}/api/stripe` })
  const cards = { STRIPE_SECRET_KEY: 'sk_test_ground', STRIPE_WEBHOOK_SECRET: webhookSecret, STRIPE_API_URL: stripe.url }
  const world = await createWorld({ env: { ...cards, OPERATOR_WALLETS: operator.address, WEBHOOK_ALLOWED_ORIGINS: closedOrigin } })
  return {
    world,
    async openPlace() {
      const installation = { world, hub: { url: world.hubUrl }, web: { url: webUrl } }
      // What runs here has neither processes to look into nor sockets to count.
      return {
        installation: installation as Place['installation'],
        scene: await createScene(world, world.hubUrl),
        lines: {},
        privateIds: [],
      }
    },
    async [Symbol.asyncDispose]() {
      await world[Symbol.asyncDispose]()
      await stripe.close()
    },
  }
}
