import { describe, expect, it } from 'vitest'
import { codingSpecialist } from '../../../../../agents/builtin/specialists/skills/coding-specialist.ts'
import { always, dataOf, inOrder, runSpecialist } from '../run-specialist.ts'

const tests = [
  { name: 'blanks', body: 'assertEqual(slug("A b"), "a-b")' },
  { name: 'ends', body: 'assertEqual(slug(" a "), "a")' },
  { name: 'empty', body: 'assertEqual(slug(""), "")' },
]
const good = {
  code: 'function slug(text) { return text.trim().toLowerCase().replace(/\\s+/g, "-") }',
  entry: 'slug',
  tests,
  explanation: 'Hyphens.',
}
const wrong = { ...good, code: 'function slug(text) { return text }' }
const query = { request: 'slug(text): lower case, hyphens instead of blanks', tests: ['assertEqual(slug("Big  Cat"), "big-cat")'] }

describe('codingSpecialist', { timeout: 60_000 }, () => {
  it('delivers code of which all tests pass, with their outcomes', async () => {
    const { answer } = await runSpecialist(codingSpecialist, { query }, always(good))
    const [code, report] = answer.files
    expect(code).toMatchObject({ name: 'slug.js', artifact_type: 'text.javascript' })
    expect(JSON.parse(report?.text ?? '')).toMatchObject({
      tests: [{ passed: true }, { passed: true }, { passed: true }, { name: "Client's test 1", passed: true }],
    })
    expect(answer.text).toBe('Hyphens. All 4 tests pass in the sandbox.')
  })

  it('shows the model the failures, and takes the corrected code', async () => {
    const { asked } = await runSpecialist(codingSpecialist, { query }, inOrder(wrong, good))
    expect(dataOf(asked[1] as never).failures).toEqual(
      expect.arrayContaining([expect.stringContaining('Client\'s test 1: Error: expected "big-cat"')]),
    )
  })

  it('delivers no code that fails a test of the client', async () => {
    const only = {
      ...wrong,
      tests: [
        { name: 'same', body: 'assertEqual(slug("a"), "a")' },
        ...tests.slice(2),
        { name: 'one', body: 'assertEqual(slug("b"), "b")' },
      ],
    }
    await expect(runSpecialist(codingSpecialist, { query }, always(only))).rejects.toThrow(
      /No code passed the tests in 3 rounds.*Client's test 1/,
    )
  })

  it.each([
    [
      'tests that a function without a body passes',
      { ...good, tests: tests.map((one) => ({ ...one, body: 'slug("a")' })) },
      'does nothing',
    ],
    ['code that never ends', { ...good, code: 'function slug(text) { for (;;); }' }, 'took more than'],
    ['imports', { ...good, code: 'import fs from "fs"\nfunction slug() {}' }, 'has an import'],
    ['code without its function', { ...good, entry: 'slugify' }, 'does not declare slugify'],
    ['too few tests', { ...good, tests: [] }, 'not of the schema'],
  ])('delivers no %s', async (_, content, reason) => {
    await expect(runSpecialist(codingSpecialist, { query: { request: query.request } }, always(content))).rejects.toThrow(reason)
  })
})
