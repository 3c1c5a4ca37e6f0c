/** Checks files of an answer against the schemas of their outputs. */
import type { ArtifactUpload, SkillPort } from '@parley/protocol'
import { withinProcessorTime } from '../../threads/processor-time-limit.ts'
import { sharedThreadPool } from '../../threads/shared-thread-pool.ts'
import type { SchemaCheck } from './check-file-against-schema.ts'

/** The limit of one file, in processor time. A publisher writes both the schema and the file, so that the check may be made to last. */
const withinMs = 3_000

const workers = () =>
  sharedThreadPool('server/calls/skill-tests/check-file-against-schema.ts', {
    maxOldGenerationSizeMb: 64,
    maxYoungGenerationSizeMb: 16,
    stackSizeMb: 4,
  })

/** Why the files do not fit the schemas of the outputs, in sentences. An output without a schema or without a file has no fault. */
export async function findSchemaMismatches(outputs: readonly SkillPort[], files: readonly ArtifactUpload[]): Promise<string[]> {
  const faults: string[] = []
  for (const [index, { name, type, schema }] of outputs.entries()) {
    if (schema === undefined) continue
    // Outputs of one type take the files of that type in order.
    const place = outputs.slice(0, index).filter((port) => port.type === type).length
    const file = files.filter((one) => one.artifact_type === type)[place]
    if (!file) continue
    const text = Buffer.from(file.content, 'base64').toString()
    faults.push(...(await check({ schema, text })).map((fault) => `${name}: ${fault}`))
  }
  return faults
}

/** The last check. Each waits for the one before, so that its time starts when it starts, however long others take. */
let last: Promise<unknown> = Promise.resolve()

async function check(asked: SchemaCheck): Promise<readonly string[]> {
  const before = last
  const result = before.then(() => runCheck(asked))
  last = result
  return result
}

async function runCheck(asked: SchemaCheck): Promise<readonly string[]> {
  try {
    return await withinProcessorTime(withinMs, (signal) => workers().run(asked, { name: 'checkFileAgainstSchema', signal }))
  } catch {
    return ['The check against the schema did not end in time.']
  }
}
