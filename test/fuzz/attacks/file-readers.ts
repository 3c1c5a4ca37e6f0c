import { closeLines } from '../edge/deliver.ts'
import type { Fault } from '../edge/oracles.ts'
import { readFiles } from '../edge/read-files.ts'
import { roles } from '../ground/cast.ts'
import { worldFile } from '../ground/world-texts.ts'
import { allOperations } from '../operations/all.ts'
import type { Place } from '../operations/operations.ts'
import type { Attack } from './index.ts'
import { fault } from './requests.ts'
import { callWith } from './vault.ts'

/** Each file of a scene as each role, also of a call. */
async function readAll(place: Place): Promise<Fault[]> {
  const own: Place = { ...place, lines: {} }
  await callWith(
    place,
    () => worldFile('A file of a call.'),
    () => 'the sea',
  )
  const { faults, reads } = await readFiles(own, await allOperations(place.installation), roles)
  closeLines(own)
  return reads > 0 ? faults : [fault('files reach their readers', 'the attack', 'no operation takes the hash of a file')]
}

export const fileReaders: Attack = { name: 'readers of files', run: readAll }
