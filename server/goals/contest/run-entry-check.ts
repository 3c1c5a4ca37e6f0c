/** Runs the check of a contest on the files of an entry. The same files have the same verdict, unless code or tests use time or chance. */
import type { EntryCheck } from '@parley/protocol'
import type { CodeTest, TestOutcome } from '../../../agents/builtin/specialists/sandbox/run-in-sandbox.ts'
import { findSchemaMismatches } from '../../calls/index.ts'
import { sharedThreadPool } from '../../threads/shared-thread-pool.ts'
import type { EntryVerdict } from './entry.ts'

export type CheckedFile = { readonly sha256: string; readonly bytes: Uint8Array }

/** As many reasons, and characters of each, as an agent reads. */
const maxReasons = 10
const maxReason = 300
/** Code of an entry, in bytes. */
const maxCode = 262_144

export async function runEntryCheck(check: EntryCheck, files: readonly CheckedFile[]): Promise<EntryVerdict> {
  const [file] = files
  if (!file || files.length > 1) return failed([`The check is of one file, and the entry has ${files.length}.`])
  switch (check.kind) {
    case 'sha256':
      return file.sha256 === check.sha256 ? passed : failed([`The file has the hash ${file.sha256}.`])
    case 'json_schema':
      return verdictOf(await schemaFaults(check.schema, file))
    case 'tests':
      return verdictOf(await testFaults(check.tests, file))
    default:
      return check satisfies never
  }
}

const passed: EntryVerdict = { isPassed: true, reasons: [] }
const failed = (reasons: readonly string[]): EntryVerdict => ({
  isPassed: false,
  reasons: reasons.slice(0, maxReasons).map((reason) => reason.slice(0, maxReason)),
})
const verdictOf = (faults: readonly string[]): EntryVerdict => (faults.length === 0 ? passed : failed(faults))

function schemaFaults(schema: Extract<EntryCheck, { kind: 'json_schema' }>['schema'], { bytes }: CheckedFile): Promise<string[]> {
  const port = { name: 'file', type: 'entry.file', description: '', optional: false, schema: schema as never }
  const content = Buffer.from(bytes).toString('base64')
  return findSchemaMismatches([port], [{ name: 'file', media_type: 'application/json', artifact_type: 'entry.file', content }])
}

async function testFaults(tests: readonly CodeTest[], { bytes }: CheckedFile): Promise<string[]> {
  if (bytes.length > maxCode) return [`The code has ${bytes.length} bytes. The maximum is ${maxCode}.`]
  const run = { code: Buffer.from(bytes).toString('utf8'), tests }
  // One thread: the tests of one entry at a time use the processor. The sandbox in it has its own limits of time and memory.
  const outcomes = (await sharedThreadPool('server/goals/contest/entry-test-worker.ts').run(run, {
    name: 'runEntryTests',
  })) as readonly TestOutcome[]
  return outcomes.filter(({ isPassed }) => !isPassed).map(({ name, message }) => `${name}: ${message}`)
}
