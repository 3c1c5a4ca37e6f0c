import { randomSeed } from '@parley/protocol'
import { listingDraftOf } from '../../../../agents/builtin/listings.ts'
import { registrySource } from '../../../../agents/builtin/planner/sourcing/offer-source.ts'
import { startPlanner } from '../../../../agents/builtin/planner/start-planner.ts'
import { deterministicStrategy } from '../../../../agents/builtin/planner/strategies/deterministic-strategy.ts'
import { agent } from '../../../../agents/src/index.ts'
import { shoutSkill } from '../../../agents/builtin/resource-gateway/resources.ts'
import { createWorld, type TestPerson, type TestWorld } from '../../../support/world.ts'
import { openSession, type Person, type RoomWorld } from '../../database-only-world.ts'

/** A whole goal, on a machine that has other work: a limit that only a hang reaches. */
export const wholeMs = 240_000

/** A login as signing in on the web leaves it. */
export async function loginOf({ clock, system }: TestWorld, { ctx }: TestPerson): Promise<string> {
  const login = await openSession({ clock, db: system.db, ctx: system } as unknown as RoomWorld, { actor: ctx.actor } as Person)
  return login.token
}

export type Visited = AsyncDisposable & {
  readonly world: TestWorld
  readonly client: TestPerson
  /** The client's login. */
  readonly token: string
  readonly errors: unknown[]
}

/** A market with a principal and one worker, that shouts, and a client who is signed in. */
export async function openMarket(): Promise<Visited> {
  const world = await createWorld()
  const errors: unknown[] = []
  const warn = (error: unknown) => void errors.push(error)
  const owner = await world.person({ usdc: 0n, isHouse: true })
  const principal = await world.publish(owner, listingDraftOf('principal', owner.account.address))
  const worker = await world.publish(owner, { handle: 'shouter', skills: [{ ...shoutSkill, price: '100000' }] as never })
  const sessions = [
    await startPlanner(
      () => deterministicStrategy,
      { url: world.hubUrl, seed: randomSeed(), token: principal.token, warn },
      registrySource,
    ),
    await agent({
      ...{ url: world.hubUrl, token: worker.token, seed: randomSeed(), on: { error: warn } },
      skills: {
        [shoutSkill.id]: async ({ inputs }) => {
          const [input] = Object.values(inputs)
          const text = JSON.stringify(input?.data ?? input?.text).toUpperCase()
          return {
            artifacts: [{ name: 'loud.txt', media_type: 'text/plain', artifact_type: 'text.plain', content: text }],
            text: 'Shouted.',
          }
        },
      },
    }),
  ]
  const client = await world.person()
  return {
    ...{ world, client, errors, token: await loginOf(world, client) },
    async [Symbol.asyncDispose]() {
      for (const session of sessions) session.close()
      await world[Symbol.asyncDispose]()
    },
  }
}

export const deadlineIn = (world: TestWorld, ms = 3_600_000): string => new Date(world.clock.now().getTime() + ms).toISOString()
