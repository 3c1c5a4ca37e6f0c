import { closeLines } from '../edge/deliver.ts'
import type { Fault } from '../edge/oracles.ts'
import { type KnownFile, readFiles } from '../edge/read-files.ts'
import { command, type Role, roles } from '../ground/cast.ts'
import { worldFile } from '../ground/world-texts.ts'
import { plainOperations } from '../operations/all.ts'
import type { Place } from '../operations/operations.ts'
import { waitingTest } from '../variants/further-scene-objects.ts'
import type { Attack } from './index.ts'
import { callWith } from './private-objects.ts'
import { fault } from './request-helpers.ts'

/** Of a test task: its agent, the agent's owner, and operators. */
const testers: readonly Role[] = ['publisher', 'helper', 'operator']

/** The files with which the helper answers a test task, by the id of the test. */
async function answerTest(place: Place): Promise<KnownFile[]> {
  const { installation, scene } = place
  const call_id = await waitingTest(place)
  const answer = { type: 'call.answer', call_id, artifacts: [worldFile('A file of a test.')], text: 'Here it is.' }
  await command(installation.hub.url, scene.agents.helper, answer)
  const { artifacts } = await installation.world.system.db.skillTest.findUniqueOrThrow({ where: { id: call_id } })
  return (artifacts as { sha256: string; name: string }[]).map(({ sha256, name }) => ({
    ...{ sha256, name, ids: { cal: call_id }, readers: testers, receiver: null },
  }))
}

/** Each file of a scene as each role, also of a call and of a test task. */
async function readAll(place: Place): Promise<Fault[]> {
  const own: Place = { ...place, lines: {} }
  await callWith(
    place,
    () => worldFile('A file of a call.'),
    () => 'the sea',
  )
  const { faults, reads } = await readFiles(own, await plainOperations(place.installation), roles, await answerTest(place))
  closeLines(own)
  return reads > 0 ? faults : [fault('files reach their readers', 'the attack', 'no operation takes the hash of a file')]
}

export const fileReaders: Attack = { name: 'readers of files', run: readAll }
