import { type CommandType, commandTypes, problems } from '@parley/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dispatchCommand } from '../../../server/commands/index.ts'
import type { Context } from '../../../server/context.ts'
import { getTeam } from '../../../server/teams/index.ts'
import type { PersonRole, Role } from '../../fuzz/ground/cast.ts'
import { type Ground, openGround } from '../../fuzz/ground/in-process-installation.ts'
import { agentContext } from '../../fuzz/ground/scene.ts'
import { worldSentence } from '../../fuzz/ground/world-texts.ts'
import { declinedEntry } from '../../fuzz/operations/declined-entry.ts'
import type { Place } from '../../fuzz/operations/operations.ts'
import { recipes, withMessage } from '../../fuzz/operations/recipes.ts'
import { textUpload } from '../../support/goal-fixture.ts'
import type { TestWorld } from '../../support/world.ts'
import { codeOf } from '../database-only-world.ts'

// The same id with another body is a conflict, in every command that has an id or changes something only once. A command that the
// protocol gets has to be listed here.

type Body = { readonly [field: string]: unknown }
type Change = Body | ((body: Body) => Body)
type Repeat = {
  readonly by: Role
  /** In the fixture without earlier commands. */
  readonly isApart?: true
  /** What is asked first; the recipe of the commandby default. */
  readonly first?: (place: Place) => Promise<unknown> | Body
  /** Other bodies under the same id, and the code that refuses each. */
  readonly changed: readonly { readonly to: Change; readonly code: string }[]
  /** Where a repeat of the same is refused too: what it was done to is gone. */
  readonly same?: string
}
/** Why no body can differ under the same id. */
type Without = { readonly without: string }

const noId = { without: 'Nothing in it names an earlier request: each one is a request of its own.' }
const noBody = { without: 'It has no body besides the object that it is about.' }
const reading = { without: 'It changes nothing.' }
const proof = { without: 'The terms are the server’s own; another signature is another proof of the same terms.' }
const newest = { without: 'The newest one counts: another body replaces the earlier one by design.' }

const within = (field: string, change: Body) => (body: Body) => ({ ...body, [field]: { ...(body[field] as Body), ...change } })
const reused = (...bodies: Change[]) => bodies.map((to) => ({ to, code: 'request.id_reused' }))
const otherFile = [{ ...textUpload('Another text.'), name: 'other.txt' }]
const otherWallet = `0x${'7e'.repeat(20)}`

let ground: Ground
let world: TestWorld
let place: Place
let apart: Place

/** The charter that waits for its members' words. */
async function formedCharter({ scene }: Place): Promise<object> {
  return (await getTeam(world.system, scene.goals.forming.id)).charter
}

/** All have signed, and the lead has sealed: from then on the client may veto. */
async function sealed(at: Place): Promise<unknown> {
  const body = (await recipes['team.seal']?.(at, 'lead')) as Body
  await dispatchCommand(contextOf(at, 'lead'), { type: 'team.seal', ...body })
  return recipes['team.veto']?.(at, 'client')
}

/** Once the goal is paid. */
async function feedback({ scene }: Place): Promise<Body> {
  const where = { taskId: scene.tasks.paid, outcome: 'paid' as const }
  await world.until('the payment', () => world.system.db.stepOutcome.findFirst({ where }))
  return { task_id: scene.tasks.paid, value: 80, text: 'It was good.' }
}

/** The second step's task, handed out just now. */
async function handedOut(at: Place): Promise<unknown> {
  const body = (await recipes['task.assign']?.(at, 'lead')) as Body
  await dispatchCommand(contextOf(at, 'lead'), { type: 'task.assign', ...body })
  return body.task_id
}

/** The rate limits are kept by the set of ports: with a set of its own, no command here uses up the tokens of another. */
function contextOf({ scene }: Place, role: Role): Context {
  const ctx = agentContext(world, scene, role) ?? scene.people[role as PersonRole].ctx
  return { ...ctx, ports: { ...ctx.ports } }
}

const table: { readonly [type in CommandType]: Repeat | Without } = {
  'listing.publish': {
    by: 'publisher',
    changed: [{ to: within('listing', { summary: 'Something else.' }), code: 'listing.handle_taken' }],
    same: 'listing.handle_taken',
  },
  'listing.revise': newest,
  'listing.withdraw': noBody,
  'listing.erase': noBody,
  'listing_key.rotate': noId,
  'payout.change': newest,
  'payout_change.cancel': noBody,
  'listing.discover': reading,
  'goal.post': {
    by: 'client',
    changed: reused(
      { attachments: otherFile },
      within('goal', { budget: '20000000' }),
      within('goal', { text: 'Write something else instead.' }),
    ),
  },
  'goal.claim': noBody,
  'goal.conclude': {
    by: 'lead',
    first: ({ scene }) => ({ goal_id: scene.goals.review.id, outcome: 'delivered', parts: [{ text: `Both are there. ${worldSentence}` }] }),
    changed: [...reused({ parts: [{ text: 'One is there.' }] }, { parts: [] }), { to: { outcome: 'failed' }, code: 'goal.wrong_state' }],
  },
  'goal.cancel': { by: 'client', changed: reused({ reason: 'Another reason.' }) },
  'hold.authorize': proof,
  'hold.checkout': noBody,
  'payout_account.open': noId,
  'hold.reclaim': noBody,
  'dispute.open': { by: 'client', changed: [{ to: { evidence: 'Another evidence.' }, code: 'dispute.wrong_state' }] },
  'dispute.rule': {
    by: 'operator',
    changed: [
      { to: { payee_bps: 1 }, code: 'dispute.wrong_state' },
      { to: { reason: 'Another reason.' }, code: 'dispute.wrong_state' },
    ],
  },
  'settlement_offer.make': noId,
  'settlement_offer.accept': proof,
  'credit.withdraw': { without: 'Its scene needs a payee that cannot receive: withdraw-credit.test.ts repeats it with another address.' },
  'team.propose': {
    by: 'lead',
    first: async (place) => ({ goal_id: place.scene.goals.forming.id, charter: await formedCharter(place) }),
    changed: [{ to: within('charter', { note: 'Another charter of the same version.' }), code: 'team.charter_invalid' }],
  },
  'team.accept': { by: 'helper', changed: reused({ member_signature: undefined }) },
  'team.decline': {
    by: 'worker',
    isApart: true,
    first: ({ scene }) => ({ goal_id: scene.goals.forming.id, reason: 'There is no time.' }),
    changed: reused({ reason: 'Another reason.' }),
  },
  'team.seal': noBody,
  'team.authorize': proof,
  'team.veto': { by: 'client', first: sealed, changed: reused({ reason: 'Another reason.' }) },
  'charter.submit': {
    by: 'lead',
    // As the fixture has submitted it.
    first: async (place) => ({ ...((await recipes['charter.submit']?.(place, 'lead')) as Body), reason: '' }),
    changed: reused({ reason: 'Another reason.' }),
  },
  'charter.confirm': { without: 'More steps can be confirmed later; a step that is confirmed stays so.' },
  'charter.refuse': {
    by: 'client',
    first: ({ scene }) => ({ goal_id: scene.goals.copilot.id, charter_hash: scene.draftHash, reason: 'Too dear.' }),
    changed: [{ to: { reason: 'Another reason.' }, code: 'charter.wrong_state' }],
  },
  'sub_team.create': noBody,
  'task.assign': { by: 'lead', changed: reused({ task_desc: 'Something else.' }) },
  'task.progress': noId,
  // Before the step is done.
  'task.fail': {
    by: 'worker',
    isApart: true,
    first: async (at) => ({ task_id: await handedOut(at), reason: 'There is no time.' }),
    changed: reused({ reason: 'Another reason.' }),
  },
  'task.complete': {
    by: 'worker',
    isApart: true,
    first: async (at) => ({ task_id: await handedOut(at), artifacts: [textUpload('The text.')], text: '' }),
    changed: reused({ artifacts: otherFile }, { text: 'With words.' }),
  },
  'task.accept': { without: 'A task is accepted or not; another list is a word on other tasks.' },
  'task.return': {
    by: 'client',
    first: ({ scene }) => ({ goal_id: scene.goals.review.id, task_ids: [scene.tasks.done], reason: 'It is too short.' }),
    changed: reused({ reason: 'Another reason.' }),
  },
  'deadline.extend': { without: 'The deadline itself says what is asked; another one is another request.' },
  'goal.pause': { without: 'It names a state.' },
  'goal.resume': { without: 'It names a state.' },
  'entry.submit': { by: 'lead', changed: reused({ text: 'Another text.' }, { price: '2000000' }, { artifacts: otherFile }) },
  'entry.choose': { by: 'client', changed: reused({ reason: 'Another reason.' }) },
  'revision.request': { without: 'A round ends the review that it needs; request-revision.test.ts repeats it.' },
  // An envelope's own id: append-message.test.ts.
  'message.post': {
    by: 'client',
    first: ({ scene }) => ({ room_id: scene.goals.work.roomId, parts: [{ text: 'A word.' }], key: 'word-1' }),
    changed: reused({ parts: [{ text: 'Another word.' }] }, { to: [] }),
  },
  'artifact.get': reading,
  'feedback.give': {
    by: 'client',
    first: feedback,
    changed: [
      { to: { value: 1 }, code: 'feedback.already_given' },
      { to: { text: 'Another word.' }, code: 'feedback.already_given' },
    ],
  },
  'channel.quote': reading,
  'channel.open': {
    by: 'client',
    changed: reused({ deposit: '30000000' }, { authorizer: otherWallet }, (body) => ({
      ...body,
      agent_id: place.scene.agents.helper.agentId,
    })),
  },
  'channel.top_up': { by: 'client', changed: reused({ amount: '2000000' }) },
  'channel.close': noBody,
  'voucher.claim': noBody,
  'call.request': {
    by: 'client',
    changed: [{ to: { inputs: [{ port: 'in_0', type: 'text.plain', data: { text: 'other' } }] }, code: 'call.id_reused' }],
  },
  'call.answer': { by: 'helper', changed: reused({ text: 'Another text.' }, { artifacts: otherFile }) },
  'call.decline': { by: 'helper', changed: reused({ reason: 'Another reason.' }) },
  'call.get': reading,
  'skill.test': { by: 'publisher', changed: reused({ inputs: [{ port: 'in_0', type: 'text.plain', data: { text: 'other' } }] }) },
  'peer.add': newest,
  'peer.remove': noBody,
  'rule.create': noId,
  'rule.revoke': noBody,
  'pool.report': newest,
  'proxy.open': noBody,
  'plan.propose': { by: 'lead', changed: [{ to: { text: '# Another plan' }, code: 'plan.outdated' }] },
  'demand.post': { by: 'client', changed: reused({ text: 'Another text, long enough.' }) },
  'demand.withdraw': noBody,
  'memory.write': newest,
  'memory.read': reading,
  'memory.erase': noBody,
  'message.erase': {
    by: 'operator',
    first: ({ scene }) => ({ room_id: scene.over.roomId, seq: scene.over.messages[0] ?? 1, order: 'The order 1.' }),
    changed: reused({ order: 'Another order.' }),
  },
  'entry.erase': {
    by: 'operator',
    first: async (place) => ({ ...(await declinedEntry(place)), order: 'The order 1.' }),
    changed: reused({ order: 'Another order.' }),
  },
  'artifact.erase': {
    by: 'operator',
    first: ({ scene }) => ({ room_id: scene.goals.paid.roomId, sha256: scene.paidSha256, order: 'The order 1.' }),
    changed: reused({ order: 'Another order.' }),
  },
}

/** What an answer says, but for what continues meanwhile, and for what this very request has done. */
const comparable = (answer: unknown) =>
  JSON.stringify(answer, (key, value) => (['state', 'lease_until', 'returned'].includes(key) ? undefined : value))

describe('the same id with another body', { timeout: 900_000 }, () => {
  beforeAll(async () => {
    ground = await openGround()
    ;({ world } = ground)
    place = await ground.openPlace()
    apart = await ground.openPlace()
  }, 900_000)
  afterAll(async () => {
    await ground?.[Symbol.asyncDispose]()
  })

  it('is decided for every command', () => {
    expect(Object.keys(table).sort()).toEqual([...commandTypes].sort())
  })

  // In the order of the table: some change what others need.
  const keyed = Object.entries(table).flatMap(([type, one]) => ('without' in one ? [] : [[type, one] as const]))
  it.each(keyed)('is a conflict: %s', async (type, { by, isApart, first, changed, same }) => {
    const at = isApart ? apart : place
    const body = structuredClone((await (first ?? ((one: Place) => recipes[type]?.(one, by)))(at)) as Body)
    // Each request has a new signature: a repeat is recognized by its content, not by its envelope.
    const send = async (one: Body) => dispatchCommand(contextOf(at, by), await withMessage(at, by, { type, ...one } as never))
    const answer = await send(body)
    for (const { to, code } of changed) {
      const other = typeof to === 'function' ? to(body) : { ...body, ...to }
      expect(await codeOf(send(other)), JSON.stringify(other).slice(0, 300)).toBe(code)
      expect(problems[code as keyof typeof problems].status, code).toBeGreaterThanOrEqual(409)
    }
    const again = await codeOf(send(body))
    if (same === undefined) expect(comparable(again)).toBe(comparable(answer))
    else expect(again).toBe(same)
  })
})
