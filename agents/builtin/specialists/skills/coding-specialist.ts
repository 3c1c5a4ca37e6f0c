/** Writes JavaScript with tests, and delivers it only if all tests pass in the sandbox. */
import { z } from 'zod'
import { modelSkillTag } from '../../model/is-model-skill.ts'
import { taskPrompts } from '../../model/prompts.ts'
import { refuse } from '../../skill.ts'
import { outputPort, queryPort, readQuery } from '../query-and-file-ports.ts'
import { type CodeTest, runInSandbox, type TestOutcome } from '../sandbox/run-in-sandbox.ts'
import type { Specialist } from '../specialist.ts'

const maxRounds = 3
const CodingQuery = z.object({
  request: z.string().trim().min(3).max(8_000),
  tests: z.array(z.string().trim().min(1).max(2_000)).max(20).default([]),
})
const WrittenCode = z.object({
  code: z.string().min(10).max(60_000),
  entry: z.string().regex(/^[A-Za-z_$][\w$]{0,60}$/),
  tests: z
    .array(z.object({ name: z.string().min(1).max(200), body: z.string().min(1).max(4_000) }))
    .min(3)
    .max(8),
  explanation: z.string().max(4_000),
})
type WrittenCode = z.infer<typeof WrittenCode>

/** Why code is not even run; undefined if it may be. */
function codeFault({ code, entry, tests }: WrittenCode): string | undefined {
  if (/^\s*(?:import|export)\b/m.test(code)) return 'The code has an import or export. Declare functions at the top level only.'
  if (!new RegExp(`(?:function\\*?|const|let|var|class)\\s+${entry.replace(/\$/g, '\\$')}(?![\\w$])`).test(code))
    return `The code does not declare ${entry}.`
  const idle = tests.find(({ body }) => !/[(`]/.test(body))
  return idle && `The test “${idle.name}” calls nothing.`
}

const clientTests = (tests: readonly string[]): CodeTest[] => tests.map((body, index) => ({ name: `Client's test ${index + 1}`, body }))

/** The tests must notice a function that does nothing. Otherwise they prove nothing. */
async function areTestsIdle({ entry, tests }: WrittenCode, signal: AbortSignal): Promise<boolean> {
  const outcomes = await runInSandbox(`function ${entry}() {}`, tests, { signal })
  return outcomes.every(({ isPassed }) => isPassed)
}

const failuresIn = (outcomes: readonly TestOutcome[]): string[] =>
  outcomes.flatMap(({ name, isPassed, message }) => (isPassed ? [] : [`${name}: ${message}`]))

export const codingSpecialist: Specialist = {
  skill: {
    id: 'coding.solution',
    name: 'Write JavaScript with tests',
    description:
      'Functions in JavaScript with tests. The tests, and yours, run in a sandbox before delivery; code that fails one is not delivered.',
    inputs: [
      queryPort(
        'query.coding',
        'What the code does.',
        {
          request: { type: 'string', minLength: 3, maxLength: 8_000, description: 'What the code does, with names of functions.' },
          tests: {
            type: 'array',
            maxItems: 20,
            items: { type: 'string', maxLength: 2_000 },
            description: 'Your tests, such as `assertEqual(slug("A b"), "a-b")`.',
          },
        },
        ['request'],
      ),
    ],
    outputs: [
      outputPort('code', 'text.javascript', 'The code, as a text file.'),
      outputPort('tests', 'code.test_report', 'The tests with their outcomes, as JSON.'),
    ],
    tags: [modelSkillTag, 'code', 'javascript', 'function', 'program', 'algorithm'],
    samples: [
      {
        title: 'A slug',
        input: { request: 'slug(text): lower case, hyphens instead of blanks', tests: ['assertEqual(slug("A b"), "a-b")'] },
        output: 'function slug(text) { … }',
      },
    ],
  },
  budgetFactor: 2,
  async run(work, task) {
    const { request, tests: given } = readQuery(work, CodingQuery)
    let failures: string[] = []
    for (let round = 1; round <= maxRounds; round++) {
      const written = await task.askValue(
        taskPrompts.code,
        { request, tests: given, failures },
        { name: 'code', schema: WrittenCode, faultOf: codeFault },
      )
      const outcomes = await runInSandbox(written.code, [...written.tests, ...clientTests(given)], { signal: task.signal })
      failures = failuresIn(outcomes)
      if (failures.length === 0 && (await areTestsIdle(written, task.signal)))
        failures = [`All tests pass for a function ${written.entry} that does nothing. Write tests of its results.`]
      if (failures.length > 0) continue
      const report = {
        engine: 'QuickJS in WebAssembly',
        tests: [...written.tests, ...clientTests(given)].map((test, index) => ({ ...test, passed: outcomes[index]?.isPassed ?? false })),
      }
      return {
        files: [
          { name: `${written.entry}.js`, media_type: 'text/plain', artifact_type: 'text.javascript', text: `${written.code.trim()}\n` },
          {
            name: 'tests.json',
            media_type: 'application/json',
            artifact_type: 'code.test_report',
            text: `${JSON.stringify(report, null, 1)}\n`,
          },
        ],
        text: `${written.explanation.slice(0, 500)} All ${outcomes.length} tests pass in the sandbox.`.trim(),
        author: 'model, run and tested',
      }
    }
    return refuse(`No code passed the tests in ${maxRounds} rounds, so nothing is delivered: ${failures.join(' ').slice(0, 500)}`)
  },
}
