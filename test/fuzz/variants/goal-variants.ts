/** Commands about goals that differ in who may plan them, who may read them, and how they are paid. */
import { getSettlementOfferTypedData } from '../../../server/settlement/index.ts'
import { newEntryId } from '../ground/cast.ts'
import type { SceneGoal } from '../ground/goals.ts'
import { worldFile } from '../ground/world-texts.ts'
import type { Tree, Value } from '../inputs/json-text.ts'
import type { Place, Recipe } from '../operations/operations.ts'
import { recipes } from '../operations/recipes.ts'
import { atBoth, only, refusedTo, type VariantDefinition } from './define.ts'
import { type Kinds, kindsOf } from './further-scene-objects.ts'

type GoalKind = 'named' | 'secret' | 'quoted' | 'checked' | 'offered' | 'ended' | 'chosen'
type Wanted = (place: Place) => Promise<SceneGoal>
const made =
  (kind: GoalKind): Wanted =>
  async (place) =>
    (kindsOf(place) as Kinds)[kind]
const ofScene =
  (name: keyof Place['scene']['goals']): Wanted =>
  async ({ scene }) =>
    scene.goals[name]

const about =
  (wanted: Wanted, more: Tree = {}): Recipe =>
  async (place) => ({ goal_id: (await wanted(place)).id, ...more })

/** The file is that of the check in no case, so that the agent can submit again. */
const entryFor =
  (wanted: Wanted): Recipe =>
  async (place) => ({
    ...{ goal_id: (await wanted(place)).id, entry_id: newEntryId(), price: '1000000', text: 'It is done.' },
    artifacts: [worldFile('The entry.')],
  })

const later =
  (wanted: Wanted): Recipe =>
  async (place) => {
    const { id } = await wanted(place)
    const { deadline } = await place.installation.world.goal(id)
    return { goal_id: id, deadline: new Date(deadline.getTime() + 3_600_000).toISOString() }
  }

const claims: readonly VariantDefinition[] = [
  { kind: 'named planners', of: ['command:goal.claim'], entitled: only('outsider'), base: about(made('named')) },
  { kind: 'private', of: ['command:goal.claim'], entitled: only('outsider'), base: about(made('secret')) },
  { kind: 'quoted', of: ['command:goal.claim'], entitled: refusedTo('lead'), base: about(made('quoted')) },
  { kind: 'contest', of: ['command:goal.claim'], entitled: refusedTo('outsider'), base: about(ofScene('contest')) },
  // The chosen agent receives its offer again.
  { kind: 'chosen contest', of: ['command:goal.claim'], entitled: only('outsider'), base: about(made('chosen')) },
  { kind: 'not funded', of: ['command:goal.claim'], entitled: refusedTo('lead'), base: about(ofScene('draft')) },
]

const entries: readonly VariantDefinition[] = [
  {
    kind: 'with a check',
    of: ['command:entry.submit'],
    entitled: only('lead', 'planner', 'outsider'),
    base: entryFor(made('checked')),
  },
  { kind: 'named planners', of: ['command:entry.submit'], entitled: only('outsider'), base: entryFor(made('offered')) },
  { kind: 'ended contest', of: ['command:entry.submit'], entitled: refusedTo('lead'), base: entryFor(made('ended')) },
  { kind: 'chosen contest', of: ['command:entry.submit'], entitled: refusedTo('lead'), base: entryFor(made('chosen')) },
  { kind: 'no contest', of: ['command:entry.submit'], entitled: refusedTo('outsider'), base: entryFor(made('named')) },
  {
    kind: 'entry of another contest',
    of: atBoth('entry.choose', 'contests.choose'),
    entitled: refusedTo('client'),
    base: async (place) => ({ goal_id: place.scene.goals.contest.id, entry_id: (await kindsOf(place).chosen).entryId, reason: 'It is.' }),
  },
]

/** Each of these belongs to the client alone, whatever the kind of its goal. */
const byClient: readonly (readonly [kind: string, wanted: Wanted])[] = [
  ['private', made('secret')],
  ['named planners', made('named')],
  ['quoted', made('quoted')],
  ['contest', made('offered')],
]
const termsOf = ([kind, wanted]: (typeof byClient)[number]): VariantDefinition[] => [
  { kind, of: atBoth('deadline.extend', 'goals.extendDeadline'), entitled: only('client'), base: later(wanted) },
  { kind, of: atBoth('goal.pause', 'goals.pause'), entitled: only('client'), base: about(wanted) },
  { kind, of: atBoth('goal.resume', 'goals.resume'), entitled: only('client'), base: about(wanted) },
]
const endings: readonly VariantDefinition[] = [
  ...[...byClient, ['card', ofScene('card')] as const].map(
    ([kind, wanted]): VariantDefinition => ({
      kind,
      of: atBoth('goal.cancel', 'goals.cancel'),
      entitled: only('client'),
      base: about(wanted, { reason: 'It is not needed.' }),
    }),
  ),
]

/** A signature that is good for another goal. */
const fundedAs =
  (wanted: Wanted): Recipe =>
  async (place, role) => ({ ...((await recipes['hold.authorize']?.(place, role)) as Tree), goal_id: (await wanted(place)).id })

const offerFor =
  (wanted: Wanted): Recipe =>
  async (place) => {
    const { client } = place.scene.people
    const asked = { goal_id: place.scene.goals.work.id, step: 1, payee_bps: 5_000, deadline: Math.floor(Date.now() / 1_000) + 3_000 }
    const { typedData } = await getSettlementOfferTypedData(client.ctx, asked)
    const signature = await client.account.signTypedData(typedData as never)
    return { ...asked, goal_id: (await wanted(place)).id, signature }
  }

const money: readonly VariantDefinition[] = [
  { kind: 'card', of: atBoth('hold.authorize', 'settlement.authorize'), entitled: refusedTo('client'), base: fundedAs(ofScene('card')) },
  { kind: 'escrow', of: atBoth('hold.checkout', 'goals.fundByCard'), entitled: refusedTo('client'), base: about(ofScene('draft')) },
  {
    kind: 'card',
    of: atBoth('settlement_offer.make', 'disputes.makeSettlementOffer'),
    entitled: refusedTo('client'),
    base: offerFor(ofScene('card')),
  },
  {
    kind: 'contest',
    of: atBoth('settlement_offer.make', 'disputes.makeSettlementOffer'),
    entitled: refusedTo('client'),
    base: offerFor(ofScene('contest')),
  },
]

const notCopilot: Recipe = async (place, role) => ({
  ...((await recipes['charter.submit']?.(place, role)) as { [name: string]: Value }),
  goal_id: place.scene.goals.open.id,
})

const charters: readonly VariantDefinition[] = [
  { kind: 'not copilot', of: ['command:charter.submit'], entitled: refusedTo('lead'), base: notCopilot },
]

export const goalVariants: readonly VariantDefinition[] = [
  ...claims,
  ...entries,
  ...byClient.flatMap(termsOf),
  ...money,
  ...charters,
  ...endings,
]
