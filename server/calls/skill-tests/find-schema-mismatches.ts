/** Checks files of an answer against the schemas of their outputs. */
import path from 'node:path'
import type { ArtifactUpload, SkillPort } from '@parley/protocol'
import Tinypool from 'tinypool'
import type { SchemaCheck } from './check-file-against-schema.ts'

/** The time limit of one file. A publisher writes both the schema and the file, so that the check may be made to last. */
const withinMs = 3_000

// The bundler creates several instances of this module. The process needs one pool.
const holder = globalThis as typeof globalThis & { parleySchemas?: Tinypool }

function workers(): Tinypool {
  holder.parleySchemas ??= new Tinypool({
    filename: path.join(process.cwd(), 'server', 'calls', 'skill-tests', 'check-file-against-schema.ts'),
    runtime: 'worker_threads',
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: 1_000,
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 },
  })
  return holder.parleySchemas
}

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
    return await workers().run(asked, { name: 'checkFileAgainstSchema', signal: AbortSignal.timeout(withinMs) })
  } catch {
    return ['The check against the schema did not end in time.']
  }
}
