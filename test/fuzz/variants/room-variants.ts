/** Commands in the rooms of sub-teams and contests, and about the work there. */
import { charterAuthorizationTypedData, charterVetoTypedData } from '@parley/protocol'
import { getTeam } from '../../../server/teams/index.ts'
import { newTaskId, planOf } from '../../support/goal-fixture.ts'
import { worldFile } from '../ground/world-texts.ts'
import type { Tree, Value } from '../inputs/json-text.ts'
import type { Place, Recipe } from '../operations/operations.ts'
import { atBoth, only, refusedTo, type VariantDefinition } from './define.ts'
import { kindsOf } from './further-scene-objects.ts'
import { assignmentIn, openTaskOf, proposedIn, type SubTeam } from './sub-team.ts'

const inTeam =
  (make: (team: SubTeam, place: Place) => unknown): Recipe =>
  async (place) =>
    (await make(await kindsOf(place).subTeam, place)) as Value
const inContest =
  (make: (goal: Awaited<ReturnType<typeof kindsOf>['chosen']>, place: Place) => unknown): Recipe =>
  async (place) =>
    (await make(await kindsOf(place).chosen, place)) as Value

const words = (room_id: string) => ({ room_id, act: 'discussion', parts: [{ text: 'A **word** about it.' }] })
const webWords = (room_id: string, { scene }: Place) => ({ room_id, text: 'A **word** about it.', to: [scene.people.client.did] })

const messages: readonly VariantDefinition[] = [
  {
    kind: 'sub-team',
    of: ['command:message.post'],
    entitled: only('helper', 'client', 'outsider'),
    base: inTeam(({ roomId }) => words(roomId)),
  },
  { kind: 'sub-team', of: ['trpc:conversations.post'], entitled: only('client'), base: inTeam(({ roomId }, at) => webWords(roomId, at)) },
  {
    kind: 'contest',
    of: ['command:message.post'],
    entitled: only('client'),
    base: ({ scene }) => words(scene.goals.contest.roomId),
  },
  {
    kind: 'chosen contest',
    of: ['command:message.post'],
    entitled: only('client', 'outsider'),
    base: inContest(({ roomId }) => words(roomId)),
  },
  {
    kind: 'contest',
    of: ['trpc:conversations.post'],
    entitled: only('client'),
    base: inContest(({ roomId }, at) => webWords(roomId, at)),
  },
  {
    kind: 'private',
    of: ['command:message.post'],
    entitled: only('client', 'outsider'),
    base: async (place) => words((await kindsOf(place).secret).roomId),
  },
  {
    kind: 'sub-team underway',
    of: atBoth('message.erase', 'conversations.erase'),
    entitled: refusedTo('client'),
    base: inTeam(({ roomId, seq }) => ({ room_id: roomId, seq })),
  },
  {
    kind: 'goal in review',
    of: ['command:artifact.erase'],
    entitled: refusedTo('client'),
    base: ({ scene }) => ({ room_id: scene.goals.review.roomId, sha256: scene.sha256 }),
  },
]

/** The newest version of the plan in this room. */
async function plan({ installation }: Place, roomId: string): Promise<Tree> {
  const newest = await installation.world.system.db.planVersion.findFirst({ where: { roomId }, orderBy: { version: 'desc' } })
  return { room_id: roomId, based_on: newest?.version ?? 0, text: '# Plan\n\n1. Write.\n2. Read.' }
}

const task = (more: Tree): Recipe => inTeam(async (team, place) => ({ task_id: await openTaskOf(place, team), ...more }))

const work: readonly VariantDefinition[] = [
  { kind: 'sub-team', of: ['command:plan.propose'], entitled: only('helper'), base: inTeam(({ roomId }, place) => plan(place, roomId)) },
  {
    kind: 'chosen contest',
    of: ['command:task.assign'],
    entitled: refusedTo('outsider'),
    base: inContest(({ id }) => ({ goal_id: id, task_id: newTaskId(), step: 1, inputs: [], task_desc: 'Do it.' })),
  },
  {
    kind: 'chosen contest',
    of: ['command:goal.conclude'],
    entitled: refusedTo('outsider'),
    base: inContest(({ id }) => ({ goal_id: id, outcome: 'failed', parts: [{ text: 'It failed.' }] })),
  },
  { kind: 'sub-team', of: ['command:task.assign'], entitled: only('helper'), base: inTeam((team, place) => assignmentIn(place, team)) },
  { kind: 'sub-team', of: ['command:task.progress'], entitled: only('outsider'), base: task({ text: 'Half of it.', done: 50 }) },
  {
    kind: 'sub-team',
    of: ['command:task.complete'],
    entitled: only('outsider'),
    base: inTeam(({ taskId }) => ({ task_id: taskId, artifacts: [worldFile('The part.')], text: 'It is done.' })),
  },
  { kind: 'sub-team', of: ['command:task.fail'], entitled: only('outsider'), base: task({ reason: 'It can not be done.' }) },
  {
    kind: 'second level',
    of: ['command:sub_team.create'],
    entitled: only('outsider'),
    base: inTeam(async (team, place) => ({ task_id: await openTaskOf(place, team) })),
  },
]

const proposal: Recipe = inTeam(async ({ goal, roomId, step }, place) => ({
  ...{ goal_id: goal.id, room_id: roomId },
  charter: await proposedIn(place, goal, { room_id: roomId, step }),
}))

const approval: Recipe = inContest(async ({ id }, place) => {
  const { world } = place.installation
  const [known, { charter, charterHash: hash, version }] = await Promise.all([planOf(world, id), getTeam(world.system, id)])
  if (!known) throw new Error('the money of the goal lies in no escrow')
  const typedData = charterAuthorizationTypedData(charter, hash as `0x${string}`, known)
  return { goal_id: id, version, signature: await place.scene.people.client.account.signTypedData(typedData as never) }
})

const veto: Recipe = async (place) => {
  const { id, version } = await kindsOf(place).refusable
  const known = await planOf(place.installation.world, id)
  if (!known) throw new Error('the money of the goal lies in no escrow')
  const { account } = place.scene.people.client
  return {
    goal_id: id,
    version,
    reason: 'Not this.',
    signature: await account.signTypedData(charterVetoTypedData(known, version) as never),
  }
}

const charters: readonly VariantDefinition[] = [
  { kind: 'sub-team', of: ['command:team.propose'], entitled: only('helper'), base: proposal },
  { kind: 'contest', of: ['trpc:charters.veto'], entitled: only('client'), base: veto },
  { kind: 'contest', of: atBoth('team.authorize', 'charters.authorize'), entitled: only('client'), base: approval },
]

/** What SPEC.md lets a party read, by the kind of the thing to which the file belongs. */
const files: readonly VariantDefinition[] = [
  {
    kind: 'private',
    of: ['command:artifact.get'],
    entitled: only('client', 'operator', 'outsider', 'stranger'),
    base: async (place) => fileOf(place, (await kindsOf(place).secret).id),
  },
  {
    kind: 'for the team',
    of: ['command:artifact.get'],
    entitled: only('client', 'operator', 'outsider', 'stranger'),
    base: async (place) => fileOf(place, (await kindsOf(place).named).id),
  },
  { kind: 'entry', of: ['command:artifact.get'], entitled: refusedTo('client'), base: entryFile },
]

async function fileOf({ installation }: Place, goalId: string): Promise<Value> {
  const { db } = installation.world.system
  const [file, { roomId }] = await Promise.all([
    db.artifact.findFirstOrThrow({ where: { goalId } }),
    db.goal.findUniqueOrThrow({ where: { id: goalId } }),
  ])
  return { room_id: roomId, sha256: file.sha256 }
}

async function entryFile({ installation, scene }: Place): Promise<Value> {
  const entry = await installation.world.system.db.entry.findUniqueOrThrow({ where: { id: scene.entryId } })
  const [file] = entry.files as { sha256: string }[]
  return { room_id: scene.goals.contest.roomId, sha256: file?.sha256 ?? '' }
}

export const roomVariants: readonly VariantDefinition[] = [...messages, ...work, ...charters, ...files]
