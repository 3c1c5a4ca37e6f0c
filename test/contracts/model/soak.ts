/**
 * The differential test for as long as one likes:
 *
 *   node test/contracts/model/soak.ts [sequences, 1000] [seed, of the clock]
 *
 * Prints what was seen, and last `{"name":"model:soak","ok":true,"figures":{…}}`; on a difference, the shrunk sequence.
 */
import fc from 'fast-check'
import { anyIntent, createComparison, emptyTally } from './differential.ts'

const numRuns = Number(process.argv[2] ?? 1000)
const seed = Number(process.argv[3] ?? Date.now() % 2 ** 31)
const tally = emptyTally()

await using comparison = await createComparison()
const sequences = fc.array(anyIntent, { minLength: 20, maxLength: 40, size: 'max' })
const details = await fc.check(
  fc.asyncProperty(sequences, async (intents) => void (await comparison.play(intents, tally))),
  { numRuns, seed, endOnFailure: process.argv[4] === 'first' },
)
console.log(JSON.stringify(tally, null, 1))
if (details.failed) console.log(JSON.stringify(details.counterexample?.[0]), details.errorInstance)
console.log(JSON.stringify({ name: 'model:soak', ok: !details.failed, figures: { sequences: details.numRuns, calls: tally.calls, seed } }))
process.exitCode = details.failed ? 1 : 0
