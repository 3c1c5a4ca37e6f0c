/** Objects of further kinds of a scene, made all at once when one of them is first used. */

import { listingDraftOf } from '../../../agents/builtin/listings.ts'
import { markOnline } from '../../../server/registry/index.ts'
import { sendWithRetry } from '../attacks/request-helpers.ts'
import { agentIn, command, newEntryId, type SceneAgent, type ScenePerson, withKey } from '../ground/cast.ts'
import type { Funded, SceneGoal } from '../ground/goals.ts'
import { worldFile, worldSentence } from '../ground/world-texts.ts'
import type { Place } from '../operations/operations.ts'
import { recipes } from '../operations/recipes.ts'
import { openAgentChannel, openSpareChannel, type SceneChannel } from './channels.ts'
import { kindHandle } from './handles.ts'
import { makeSubTeam, type SubTeam } from './sub-team.ts'

type Chosen = SceneGoal & { readonly entryId: string; readonly version: number }

/**
 * `named`, `secret` and `offered` name the outsider as their planner: the first is public, the second private, the third a contest.
 * `quoted` was posted with a quote. `checked` is a contest with a check, `ended` one whose time for entries is over. `chosen` is one whose
 * client has chosen the outsider's entry, and `refusable` is another one. `subTeam` works for the helper. `keyed` is a listing whose agent
 * has a key, `withdrawn` one that was withdrawn. The outsider opened `agentChannel` and `closable` with the stranger's
 * money; the first stays open. `closing` takes no calls.
 */
export type Kinds = {
  readonly named: Promise<Funded>
  readonly secret: Promise<Funded>
  readonly quoted: Promise<Funded>
  readonly checked: Promise<Funded>
  readonly offered: Promise<Funded>
  readonly ended: Promise<Funded>
  readonly chosen: Promise<Chosen>
  readonly refusable: Promise<Chosen>
  readonly subTeam: Promise<SubTeam>
  readonly keyed: Promise<SceneAgent>
  readonly withdrawn: Promise<SceneAgent>
  readonly agentChannel: Promise<SceneChannel>
  readonly closable: Promise<SceneChannel>
  readonly closing: Promise<SceneChannel>
}

const made = new Map<number, Kinds>()

/** The further objects of this scene. */
export function kindsOf(place: Place): Kinds {
  const { number } = place.scene
  const known = made.get(number)
  if (known) return known
  const kinds = { ...goalKinds(place), ...otherKinds(place) }
  made.set(number, kinds)
  // Each user of one of them sees why it is missing.
  for (const one of Object.values(kinds)) one.catch(() => undefined)
  return kinds
}

function goalKinds(
  place: Place,
): Pick<Kinds, 'named' | 'secret' | 'quoted' | 'checked' | 'offered' | 'ended' | 'chosen' | 'refusable' | 'subTeam'> {
  const planners = [place.scene.agents.outsider.agentId]
  const deadlineMs = 24 * 3_600_000
  const check = { kind: 'sha256', sha256: 'a'.repeat(64) }
  const secret = { planners, visibility: 'private' as const, attachments: [worldFile('A private file.')] }
  return {
    named: post(place, { planners, attachments: [worldFile('For the team.')] }),
    secret: post(place, secret),
    quoted: postQuoted(place),
    checked: post(place, { deadlineMs, vetoHours: 1, more: { contest: contest(check), on_silence: 'refund' } }),
    offered: post(place, { planners, more: { contest: contest(), on_silence: 'refund' } }),
    ended: endedContest(place),
    chosen: chosenContest(place),
    refusable: chosenContest(place),
    subTeam: makeSubTeam(place),
  }
}

function otherKinds(place: Place): Pick<Kinds, 'keyed' | 'withdrawn' | 'agentChannel' | 'closable' | 'closing'> {
  const agentChannel = openAgentChannel(place)
  return {
    keyed: keyedListing(place),
    withdrawn: withdrawnListing(place),
    agentChannel,
    // Two fundings of one wallet follow each other.
    closable: agentChannel.then(() => openAgentChannel(place)),
    closing: openSpareChannel(place).then(async (channel) => {
      await sendWithRetry(place.scene.people.client, { type: 'channel.close', channel_id: channel.id } as never)
      return channel
    }),
  }
}

const contest = (check?: object) => ({
  max_entries: 16,
  entries_by: new Date(Date.now() + 3_000_000).toISOString(),
  ...(check && { check }),
})

type Posted = Parameters<Place['installation']['world']['postFundedGoal']>[1]

/** The client of a scene posts many goals: it waits where it has sent too much. */
async function post({ installation, scene }: Place, more: Partial<Posted>): Promise<Funded> {
  const { client } = scene.people
  const patient: ScenePerson = { ...client, send: (one) => sendWithRetry(client, one) }
  return installation.world.postFundedGoal(patient, {
    text: `Write one text of a further kind, please. ${worldSentence}`,
    criteria: [`It is there. ${worldSentence}`],
    approves: false,
    ...more,
    more: { max_extension_hours: 24, ...more.more },
  })
}

async function postQuoted(place: Place): Promise<Funded> {
  const { world } = place.installation
  const owner = await world.person({ usdc: 0n })
  for (const name of ['principal', 'calculator'] as const) {
    const draft = listingDraftOf(name, owner.account.address)
    // Each scene has some, so that none has the name of another.
    const handle = kindHandle(name)
    const { agent_id } = await world.publish(owner, { ...draft, handle, name: handle })
    await markOnline(world.system, agent_id, 'fuzz')
  }
  const goal = await post(place, { isQuoted: true, text: 'What is 15% of 240, please?', criteria: ['It is right.'] })
  const { planners } = await world.goal(goal.id)
  const own = Object.values(place.scene.agents).some(({ agentId }) => planners.includes(agentId))
  if (own || planners.length === 0) throw new Error('another agent of the scene plans the quoted goal')
  return goal
}

/** The outsider's entry in the contest. */
async function enter({ installation, scene }: Place, goal: SceneGoal): Promise<string> {
  const entry = { entry_id: newEntryId(), price: '1000000', text: `An entry. ${worldSentence}`, artifacts: [worldFile('The entry.')] }
  await command(installation.hub.url, scene.agents.outsider, { type: 'entry.submit', goal_id: goal.id, ...entry })
  return entry.entry_id
}

async function endedContest(place: Place): Promise<Funded> {
  const goal = await post(place, { more: { contest: contest(), on_silence: 'refund' } })
  await enter(place, goal)
  const over = { ...contest(), entries_by: new Date(Date.now() - 1_000).toISOString() }
  await place.installation.world.system.db.goal.update({ where: { id: goal.id }, data: { contest: over } })
  return goal
}

async function chosenContest(place: Place): Promise<Chosen> {
  const goal = await post(place, { more: { contest: contest(), on_silence: 'refund' } })
  const entryId = await enter(place, goal)
  const choice = { type: 'entry.choose', goal_id: goal.id, entry_id: entryId, reason: 'It is the best.' }
  const { version } = await sendWithRetry<{ version: number }>(place.scene.people.client, choice as never)
  return { id: goal.id, roomId: goal.roomId, entryId, version }
}

async function keyedListing({ installation, scene }: Place): Promise<SceneAgent> {
  const agent = await agentIn(installation.world, scene.people.publisher, kindHandle('keyed'), ['text.fuzz'])
  const keyed = await withKey(installation.hub.url, agent)
  keyed.line?.close()
  return { ...keyed, line: null }
}

async function withdrawnListing({ installation, scene }: Place): Promise<SceneAgent> {
  const { publisher } = scene.people
  const agent = await agentIn(installation.world, publisher, kindHandle('gone'), ['text.fuzz'])
  await publisher.send({ type: 'listing.withdraw', agent_id: agent.agentId } as never)
  return agent
}

/** A new test task of the helper, or the one that waits. */
export async function waitingTest({ installation, scene }: Place): Promise<string> {
  const { agentId } = scene.agents.helper
  const where = { agentId, skillId: 'text.first', state: 'requested', leaseUntil: { gt: new Date() } }
  const known = await installation.world.system.db.skillTest.findFirst({ where })
  if (known) return known.id
  const asked = (await recipes['skill.test']?.({ installation, scene, lines: {}, privateIds: [] }, 'publisher')) as object
  const { call_id } = await sendWithRetry<{ call_id: string }>(scene.people.publisher, { type: 'skill.test', ...asked } as never)
  return call_id
}
