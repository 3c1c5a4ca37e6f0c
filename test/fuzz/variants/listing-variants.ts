/** Commands about listings: of an agent with a key, of another owner, and of one that was withdrawn. */
import { getKeyTerms } from '../../../server/registry/index.ts'
import { draftFor, newCallId, type SceneAgent } from '../ground/cast.ts'
import type { Value } from '../inputs/json-text.ts'
import type { Place, Recipe } from '../operations/operations.ts'
import { atBoth, only, refusedTo, type VariantDefinition } from './define.ts'
import { kindsOf } from './further-scene-objects.ts'

type Wanted = (place: Place) => Promise<SceneAgent>
const keyed: Wanted = (place) => kindsOf(place).keyed
const withdrawn: Wanted = (place) => kindsOf(place).withdrawn
const others: Wanted = async ({ scene }) => scene.agents.outsider

/** What the outsider offers. It goes on offering it. */
const otherSkills = ['goal.plan', 'text.other', 'resources.find']

const listingOf =
  (wanted: Wanted): Recipe =>
  async (place) => {
    const { agentId, handle, payee } = await wanted(place)
    const skills = (wanted === others ? otherSkills : ['text.fuzz']).flatMap((skill) => draftFor(handle, skill, payee).skills)
    return { agent_id: agentId, listing: { ...draftFor(handle, '', payee), skills, policy: { note: 'text' } } as unknown as Value }
  }
const named =
  (wanted: Wanted): Recipe =>
  async (place) => ({ agent_id: (await wanted(place)).agentId })
let tests = 0
/** Another skill each time: one test of a skill is open at a time. */
const tested =
  (wanted: Wanted, skills: readonly string[]): Recipe =>
  async (place) => ({ call_id: newCallId(), agent_id: (await wanted(place)).agentId, skill_id: skills[tests++ % skills.length] ?? '' })

/** The owner takes the key from the listing. */
const unbound: Recipe = async (place) => {
  const { agentId } = await keyed(place)
  const { publisher } = place.scene.people
  const { typedData, deadline } = await getKeyTerms(publisher.ctx, agentId, true)
  return { agent_id: agentId, unbind: true, deadline, signature: await publisher.account.signTypedData(typedData as never) }
}

const revise = atBoth('listing.revise', 'registry.revise')
const test = atBoth('skill.test', 'skillTests.start')

export const listingVariants: readonly VariantDefinition[] = [
  { kind: 'with a key', of: revise, entitled: only('publisher'), base: listingOf(keyed) },
  { kind: 'of another owner', of: revise, entitled: only('stranger'), base: listingOf(others) },
  { kind: 'taken back', of: revise, entitled: refusedTo('publisher'), base: listingOf(withdrawn) },
  { kind: 'of another owner', of: test, entitled: only('stranger'), base: tested(others, otherSkills) },
  { kind: 'taken back', of: test, entitled: refusedTo('publisher'), base: tested(withdrawn, ['text.fuzz']) },
  { kind: 'with a key', of: atBoth('listing_key.rotate', 'registry.rotateKey'), entitled: only('publisher'), base: unbound },
  { kind: 'with a key', of: atBoth('listing.withdraw', 'registry.withdraw'), entitled: only('publisher'), base: named(keyed) },
  { kind: 'taken back', of: atBoth('listing.erase', 'registry.erase'), entitled: only('publisher'), base: named(withdrawn) },
]
