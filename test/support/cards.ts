import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { uuidv7 } from '@parley/protocol'
import { type StripeFake, startStripeFake } from '../../server/embedded/stripe-fake/start-stripe-fake.ts'
import { getPayoutAccountTerms } from '../../server/settlement/index.ts'
import { handleStripeWebhookAs } from '../../server/webhooks/index.ts'
import type { TestPerson, TestWorld } from './world.ts'

const secret = 'whsec_of_the_flow'

/** The fake of Stripe, and an endpoint for its webhooks that does the same as the web's route. */
export async function startCards(): Promise<
  { double: StripeFake; env: Record<string, string>; serve(world: TestWorld): void } & AsyncDisposable
> {
  let world: TestWorld | null = null
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    if (!world) return void response.writeHead(503).end()
    const headers = { 'stripe-signature': String(request.headers['stripe-signature']) }
    const answer = await handleStripeWebhookAs(
      world.system,
      new Request('http://door', { method: 'POST', body: Buffer.concat(chunks), headers }),
    )
    response.writeHead(answer.status).end()
  })
  await new Promise<void>((ready) => {
    server.listen(0, '127.0.0.1', ready)
  })
  const webhookUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const double = await startStripeFake({ file: null, port: 0, webhookSecret: secret, webhookUrl })
  return {
    double,
    env: { STRIPE_SECRET_KEY: 'sk_test_flow', STRIPE_WEBHOOK_SECRET: secret, STRIPE_API_URL: double.url },
    serve(one) {
      world = one
    },
    async [Symbol.asyncDispose]() {
      await double.close()
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Opens the person's payout account with Stripe, with a signature of its wallet. */
export async function openPayoutAccountOf({ ctx, account, send }: Pick<TestPerson, 'ctx' | 'account' | 'send'>): Promise<{ url: string }> {
  const { typedData, deadline } = getPayoutAccountTerms(ctx)
  return send({ type: 'payout_account.open', deadline, signature: await account.signTypedData(typedData as never) })
}

type CardGoalOptions = {
  readonly hours?: number
  readonly vetoHours?: number
  readonly approves?: boolean
  /** Other fields of the brief. */
  readonly more?: { readonly [field: string]: unknown }
}

/** Posts a goal that will be paid by card. Its client approves each team, unless `approves` is false. */
export async function postCardGoal(
  world: TestWorld,
  client: TestPerson,
  { hours = 1, vetoHours = 24, approves = true, more = {} }: CardGoalOptions = {},
): Promise<string> {
  const goal = {
    text: 'Write two short texts, please.',
    criteria: [{ text: 'Both are there.' }],
    budget: '10000000',
    deadline: new Date(world.clock.now().getTime() + hours * 3_600_000).toISOString(),
    review_hours: 1,
    visibility: 'public',
    veto_hours: vetoHours,
    rail: 'stripe',
    ...more,
  }
  const posted = await client.send<{ goal_id: string }>({
    type: 'goal.post',
    id: uuidv7(Date.now(), randomBytes(10)),
    goal,
    attachments: [],
  })
  if (approves) world.approveTeams(posted.goal_id, client)
  return posted.goal_id
}
