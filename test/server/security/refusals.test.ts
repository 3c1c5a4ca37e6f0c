import { randomBytes } from 'node:crypto'
import { commandTypes, personDid, problems } from '@parley/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dispatchCommand } from '../../../server/commands/index.ts'
import type { Context } from '../../../server/context.ts'
import { DomainError } from '../../../server/errors.ts'
import { appRouter, createCaller } from '../../../server/trpc/app-router.ts'
import type { PersonRole, Role } from '../../fuzz/ground/cast.ts'
import { type Ground, openGround } from '../../fuzz/ground/in-process-installation.ts'
import { agentContext } from '../../fuzz/ground/scene.ts'
import { commandOperations } from '../../fuzz/operations/commands.ts'
import type { Operation, Place } from '../../fuzz/operations/operations.ts'
import { procedureOperations } from '../../fuzz/operations/procedures.ts'

// An account that may not change something is refused, even if all can read it. The goals, listings and channels here are public, and the
// callers are signed in. What is walked over comes from the product's tables; an operation that is not listed fails.

type Body = { readonly [field: string]: unknown }
type Lock = {
  /** Who may: this role is not refused. */
  readonly by: Role
  /** Of no one, a person without a part in it, an agent without one, and a client where operators are meant: who may too. */
  readonly may?: readonly Asker[]
  /** An agent with a skill that the command asks for, and without a part in it. */
  readonly wrongAgent?: Role
  readonly body?: (place: Place) => Body
  /** What refuses besides who asks. */
  readonly or?: readonly string[]
}
type Asker = 'anonymous' | 'stranger' | 'agent' | 'client'

/** Changes nothing. */
const reading = 'reading'
/** Signing in has no login yet. */
const loginItself = 'login'
const own = ['stranger', 'client'] as const
const ownOfAll = [...own, 'agent'] as const
const work = ({ scene }: Place) => ({ goal_id: scene.goals.work.id })
const paid = ({ scene }: Place) => ({ goal_id: scene.goals.paid.id, reason: 'It is not needed.' })
const anyId = '01a20c39-d1c7-722f-a997-62971bb269fa'
const signature = `0x${'1b'.repeat(65)}`

type Table = { readonly [name: string]: Lock | typeof reading | typeof loginItself }

const commands: Table = {
  'listing.publish': { by: 'publisher', may: own },
  'listing.revise': { by: 'publisher' },
  'listing.withdraw': { by: 'publisher', body: ofHelper },
  'listing.erase': { by: 'publisher', body: ofHelper },
  'listing_key.rotate': { by: 'publisher', body: ofHelper },
  'listing.discover': reading,
  'goal.post': { by: 'client', may: own },
  'goal.claim': { by: 'lead', or: ['goal.already_claimed'] },
  'goal.conclude': { by: 'lead' },
  'goal.cancel': { by: 'client', body: paid },
  'hold.authorize': { by: 'client', body: (place) => ({ ...work(place), signature }) },
  'hold.checkout': { by: 'client', body: ({ scene }) => ({ goal_id: scene.goals.card.id }) },
  // Each asks for an account of its own.
  'payout_account.open': { by: 'publisher', may: own, body: () => ({ deadline: 2_000_000_000, signature }) },
  'payout.change': { by: 'publisher' },
  'payout_change.cancel': { by: 'publisher' },
  // The contract lets anyone; the server, anyone who has signed in.
  'hold.reclaim': { by: 'client', may: own, body: work },
  'dispute.open': { by: 'client' },
  'dispute.rule': { by: 'operator' },
  'settlement_offer.make': { by: 'client' },
  'settlement_offer.accept': { by: 'publisher' },
  // Of the asker's own credit.
  'credit.withdraw': { by: 'publisher', may: own, body: () => ({ to: `0x${'7e'.repeat(20)}`, deadline: 2_000_000_000, signature }) },
  'team.propose': { by: 'lead' },
  'team.accept': { by: 'helper' },
  'team.decline': { by: 'helper' },
  'team.seal': { by: 'lead' },
  'team.authorize': { by: 'client' },
  'team.veto': { by: 'client' },
  'charter.submit': { by: 'lead' },
  'charter.confirm': { by: 'client' },
  'charter.refuse': { by: 'client', body: ofDraft },
  'sub_team.create': { by: 'helper' },
  'task.assign': { by: 'lead' },
  'task.progress': { by: 'helper' },
  'task.complete': { by: 'helper' },
  'task.fail': { by: 'helper' },
  'task.accept': { by: 'client', body: ofReview },
  'task.return': { by: 'client', body: (place) => ({ ...ofReview(place), reason: 'Too short.' }) },
  'revision.request': { by: 'client', body: (place) => ({ ...ofReview(place), round: 1, reason: 'Add a chart.' }) },
  'entry.submit': { by: 'lead', or: ['entry.refused'] },
  'entry.choose': { by: 'client' },
  'deadline.extend': { by: 'client', body: ofWork },
  'goal.pause': { by: 'client', body: ({ scene }) => ({ goal_id: scene.goals.work.id }) },
  'goal.resume': { by: 'client', body: ({ scene }) => ({ goal_id: scene.goals.work.id }) },
  'message.post': { by: 'client' },
  'artifact.get': reading,
  'feedback.give': { by: 'client' },
  'channel.quote': reading,
  // With the asker's own money.
  'channel.open': { by: 'client', may: ownOfAll },
  'channel.top_up': { by: 'client' },
  'channel.close': { by: 'client', body: ofChannel },
  'voucher.claim': { by: 'publisher', body: ofChannel },
  'call.request': { by: 'client' },
  'call.answer': { by: 'helper' },
  'call.decline': { by: 'helper' },
  'call.get': reading,
  'skill.test': { by: 'publisher' },
  'peer.add': { by: 'operator', body: peer },
  'peer.remove': { by: 'operator', body: ({ scene }) => ({ origin: peer({ scene } as Place).origin }) },
  'rule.create': { by: 'operator' },
  'rule.revoke': { by: 'operator', body: () => ({ rule_id: `rul_${'0'.repeat(32)}` }), or: [] },
  'pool.report': { by: 'outsider', wrongAgent: 'helper' },
  'proxy.open': { by: 'outsider', wrongAgent: 'helper', body: ({ scene }) => ({ resource: scene.agents.worker.signer.did }) },
  'plan.propose': { by: 'lead' },
  // The asker's own notes, and what others remember of it.
  'demand.post': { by: 'client', may: own },
  'demand.withdraw': { by: 'client' },
  'memory.write': { by: 'helper', may: ['agent'] },
  'memory.read': reading,
  'memory.erase': { by: 'helper', may: own, body: ({ scene }) => ({ agent_id: scene.agents.helper.agentId }) },
  // The client can erase the messages of its goal, too.
  'message.erase': { by: 'helper', may: ['client'] },
  'artifact.erase': { by: 'client' },
  'entry.erase': { by: 'client' },
}

const mutations: Table = {
  'channels.quote': reading,
  'channels.open': { by: 'client', may: own },
  'channels.topUp': { by: 'client' },
  'channels.close': { by: 'client', body: ofChannel },
  'channels.claim': { by: 'publisher', body: ofChannel },
  'channels.ask': { by: 'client' },
  'charters.confirm': { by: 'client' },
  'charters.authorize': { by: 'client' },
  'charters.veto': { by: 'client' },
  'charters.refuse': { by: 'client', body: ofDraft },
  'contests.choose': { by: 'client' },
  'contests.erase': { by: 'client' },
  'conversations.post': { by: 'client' },
  'conversations.erase': { by: 'client', body: ({ scene }) => ({ room_id: scene.goals.paid.roomId, seq: 1 }) },
  'conversations.retry': { by: 'operator', body: ({ scene }) => ({ room_id: scene.goals.work.roomId, seq: 1 }), or: [] },
  'disputes.getTerms': reading,
  'disputes.open': { by: 'client' },
  'disputes.rule': { by: 'operator' },
  'disputes.makeSettlementOffer': { by: 'client' },
  'disputes.acceptSettlementOffer': { by: 'publisher' },
  'federation.addPeer': { by: 'operator', body: peer },
  'federation.removePeer': { by: 'operator', body: (place) => ({ origin: peer(place).origin }) },
  'goals.post': { by: 'client', may: own },
  'goals.quote': reading,
  'goals.findExamples': reading,
  'goals.postDemand': { by: 'client', may: own },
  'goals.withdrawDemand': { by: 'client' },
  'goals.fundByCard': { by: 'client', body: ({ scene }) => ({ goal_id: scene.goals.card.id }) },
  'goals.cancel': { by: 'client', body: paid },
  'identity.issueNonce': loginItself,
  'identity.signIn': loginItself,
  // Ends the asker's own session; who has none has none to end.
  'identity.signOut': loginItself,
  // Another's session is none that the asker has: `revoke-session.test.ts` shows that it stays.
  'identity.revokeSession': { by: 'client', may: own },
  'markdown.format': reading,
  // Test money for the asker itself.
  'market.faucet': { by: 'client', may: own },
  'memory.erase': { by: 'client', may: own },
  // All of these change the asker's own settings. The tests of `server/notifications` show that those of others stay.
  'notifications.setEmail': { by: 'client', may: own },
  'notifications.confirmEmail': { by: 'client', may: own },
  'notifications.removeEmail': { by: 'client', may: own },
  'notifications.setWebhook': { by: 'client', may: own },
  'notifications.replaceSecret': { by: 'client', may: own },
  'notifications.removeWebhook': { by: 'client', may: own },
  'notifications.chooseEvents': { by: 'client', may: own },
  'notifications.sendTest': { by: 'client', may: own },
  'notifications.sendAgain': { by: 'client' },
  // The token in the mail is the permission: `unsubscribe.test.ts` shows which are refused.
  'notifications.unsubscribe': loginItself,
  'policy.createRule': { by: 'operator' },
  'policy.revokeRule': { by: 'operator' },
  'registry.publish': { by: 'publisher', may: own },
  'registry.revise': { by: 'publisher' },
  'registry.withdraw': { by: 'publisher' },
  'registry.erase': { by: 'publisher' },
  'registry.rotateKey': { by: 'publisher' },
  'registry.changePayout': { by: 'publisher' },
  'registry.cancelPayoutChange': { by: 'publisher' },
  'reputation.give': { by: 'client' },
  'skillTests.start': { by: 'publisher' },
  'settlement.authorize': { by: 'client', body: (place) => ({ ...work(place), signature }) },
  'settlement.withdrawCredit': {
    by: 'publisher',
    may: own,
    body: () => ({ to: `0x${'7e'.repeat(20)}`, deadline: 2_000_000_000, signature }),
  },
  'settlement.reclaim': { by: 'client', may: own, body: work },
  'settlement.openPayoutAccount': { by: 'publisher', may: own, body: () => ({ deadline: 2_000_000_000, signature }) },
  'settlement.refreshPayoutAccount': { by: 'publisher', may: own },
  'settlement.cancelTransaction': { by: 'operator', body: () => ({ transaction_id: anyId }) },
  'settlement.retryDeadLetter': { by: 'operator', body: () => ({ id: anyId }) },
  'settlement.retry': { by: 'operator', body: work },
  'tasks.accept': { by: 'client', body: ofReview },
  'tasks.return': { by: 'client', body: (place) => ({ ...ofReview(place), reason: 'Too short.' }) },
  'goals.extendDeadline': { by: 'client', body: ofWork },
  'goals.pause': { by: 'client', body: ({ scene }) => ({ goal_id: scene.goals.work.id }) },
  'goals.resume': { by: 'client', body: ({ scene }) => ({ goal_id: scene.goals.work.id }) },
  'goals.requestRevision': { by: 'client', body: (place) => ({ ...ofReview(place), round: 1, reason: 'Add a chart.' }) },
}

function ofWork({ scene }: Place): Body {
  return { goal_id: scene.goals.work.id, deadline: '2100-01-01T00:00:00Z' }
}

function ofHelper({ scene }: Place): Body {
  return { agent_id: scene.agents.helper.agentId }
}
function ofReview({ scene }: Place): Body {
  return { goal_id: scene.goals.review.id, task_ids: [scene.tasks.done] }
}
function ofDraft({ scene }: Place): Body {
  return { goal_id: scene.goals.copilot.id, charter_hash: scene.draftHash, reason: 'Too dear.' }
}
function ofChannel({ scene }: Place): Body {
  return { channel_id: scene.channelId }
}
function peer({ scene }: Place): Body {
  const origin = 'http://127.0.0.1:19999'
  return { origin, server_did: scene.agents.worker.signer.did, hub_url: origin }
}

let ground: Ground
let place: Place

/** Codes by which who asks is refused. What a stranger may not know of is not found. */
const isRefusal = (code: string) =>
  code === 'auth.required' || /\.not_found$/.test(code) || problems[code as keyof typeof problems]?.status === 403

/** A person whom no one knows, new each time: what it asks is counted apart. */
function stranger(): Context {
  const { chainId } = ground.world.world.market
  const address = `0x${randomBytes(20).toString('hex')}` as const
  return ground.world.world.contextFor({ kind: 'person', did: personDid(chainId, address), address, isOperator: false })
}

function contextOf(asker: Asker | Role, wrongAgent: Role): Context {
  if (asker === 'anonymous') return ground.world.world.contextFor({ kind: 'anonymous' })
  if (asker === 'stranger') return stranger()
  const role = asker === 'agent' ? wrongAgent : asker
  return agentContext(ground.world, place.scene, role) ?? place.scene.people[role as PersonRole].ctx
}

/** `ok`, or the code of the refusal. Who asks too much at once waits a little. */
async function answerOf(ask: () => Promise<unknown>): Promise<string> {
  for (;;) {
    try {
      await ask()
      return 'ok'
    } catch (error) {
      const { cause } = error as { cause?: unknown }
      const known = error instanceof DomainError ? error : cause
      if (!(known instanceof DomainError)) return String((error as { message?: unknown }).message ?? error)
      if (known.code !== 'rate.exceeded') return known.code
      ground.world.clock.advance(2_000)
    }
  }
}

type Ask = (ctx: Context, input: unknown) => Promise<unknown>

async function expectLocked(operation: Operation, lock: Lock, ask: Ask, askers: readonly Asker[]): Promise<void> {
  const { by, may = [], or = [], wrongAgent = 'outsider' } = lock
  const input = structuredClone(lock.body ? lock.body(place) : await operation.base(place, by))
  for (const asker of askers) {
    const code = await answerOf(() => ask(contextOf(asker, wrongAgent), input))
    const isRefused = isRefusal(code) || or.includes(code)
    const what = `${operation.name} of ${asker}: ${code}`
    if (!may.includes(asker)) expect(isRefused ? 'refused' : what, what).toBe('refused')
    else expect(['auth.required', 'permission.denied'], what).not.toContain(code)
  }
  // An API token without a scope only reads, also one of the person who may.
  const holder = [by, ...may].map((role) => contextOf(role, wrongAgent).actor).find((actor) => actor.kind === 'person')
  if (holder) {
    const token = ground.world.world.contextFor({ ...holder, isOperator: false, scopes: [] })
    const what = `${operation.name} of a token`
    expect(await answerOf(() => ask(token, structuredClone(input))), what).toMatch(/^permission\.denied$|\.not_found$/)
  }
  // The same input from the permitted caller is accepted. So the refusal came from the caller's missing right.
  const code = await answerOf(() => ask(contextOf(by, wrongAgent), input))
  const what = `${operation.name} of ${by}: ${code}`
  expect(['auth.required', 'permission.denied', 'request.malformed', 'room.not_member'], what).not.toContain(code)
  expect(problems[code as keyof typeof problems]?.status, what).not.toBe(403)
}

const askersOf = ({ by, wrongAgent = 'outsider' }: Lock, hasAgents: boolean): Asker[] => [
  'anonymous',
  'stranger',
  ...(hasAgents && by !== wrongAgent ? (['agent'] as const) : []),
  ...(by === 'client' ? [] : (['client'] as const)),
]

const locked = (table: Table) => Object.entries(table).flatMap(([name, lock]) => (typeof lock === 'string' ? [] : [[name, lock] as const]))

describe('who may not change something is refused', { timeout: 900_000 }, () => {
  beforeAll(async () => {
    ground = await openGround()
    place = await ground.openPlace()
    // Only a paid step may be rated, and the payment takes a moment.
    const where = { taskId: place.scene.tasks.paid, outcome: 'paid' as const }
    await ground.world.until('the payment', () => ground.world.system.db.stepOutcome.findFirst({ where }))
  }, 900_000)
  afterAll(async () => {
    await ground?.[Symbol.asyncDispose]()
  })

  it('is decided for every command and every mutation', () => {
    const all = appRouter._def.procedures as unknown as { readonly [name: string]: { readonly _def: { readonly type: string } } }
    expect(Object.keys(commands).sort()).toEqual([...commandTypes].sort())
    expect(Object.keys(mutations).sort()).toEqual(
      Object.entries(all)
        .filter(([, { _def }]) => _def.type === 'mutation')
        .map(([name]) => name)
        .sort(),
    )
  })

  it.each(locked(commands))('by the command %s', async (type, lock) => {
    const operation = commandOperations().find(({ name }) => name === `command:${type}`) as Operation
    await expectLocked(operation, lock, (ctx, input) => dispatchCommand(ctx, { ...(input as Body), type }), askersOf(lock, true))
  })

  it.each(locked(mutations))('by the mutation %s', async (name, lock) => {
    const operation = procedureOperations().find((one) => one.name === `trpc:${name}`) as Operation
    const [router = '', procedure = ''] = name.split('.')
    const ask: Ask = (ctx, input) => {
      const call = {
        ctx,
        services: ground.world.world,
        token: null,
        userAgent: '',
        source: randomBytes(4).join('.'),
        reply: null,
        id: 'test',
      }
      const caller = createCaller(call) as unknown as { [router: string]: { [name: string]: (input: unknown) => Promise<unknown> } }
      return caller[router]?.[procedure]?.(input ?? undefined) ?? Promise.reject(new Error(name))
    }
    await expectLocked(operation, lock, ask, askersOf(lock, false))
  })
})
