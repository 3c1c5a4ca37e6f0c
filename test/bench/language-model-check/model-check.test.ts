import { spawn } from 'node:child_process'
import path from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { checkedGoals } from '../../../bench/language-model-check/checked-goals.ts'
import { openCheckedMarket, runCheckedGoal } from '../../../bench/language-model-check/run-checked-goal.ts'
import { dataOf, settingsFor } from '../../agents/builtin/specialists/run-specialist.ts'
import { type MisbehavingModel, type ModelReply, startMisbehavingModel } from '../../support/misbehaving-model.ts'
import type { Asked } from '../../support/model-double.ts'

const root = path.join(import.meta.dirname, '../../..')
let model: MisbehavingModel | undefined
afterEach(async () => {
  await model?.[Symbol.asyncDispose]()
  model = undefined
})

function runCheck(env: {
  readonly [name: string]: string
}): Promise<{ code: number | null; output: string; last: { ok: boolean; figures: { [name: string]: unknown } } }> {
  const { OPENAI_API_KEY: _key, OPENAI_BASE_URL: _url, ...rest } = process.env
  const child = spawn(process.execPath, ['bench/language-model-check.ts'], {
    cwd: root,
    env: { ...rest, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk
  })
  return new Promise((resolve) =>
    child.once('close', (code) => resolve({ code, output, last: JSON.parse(output.trim().split('\n').at(-1) ?? '') })),
  )
}

describe('npm run model:check', { timeout: 120_000 }, () => {
  it('states how to configure a model, and fails, if none is', async () => {
    const { code, output, last } = await runCheck({})
    expect(code).toBe(1)
    expect(output).toContain('Set OPENAI_API_KEY; for a local runtime set OPENAI_BASE_URL')
    expect(last).toMatchObject({ name: 'model:check', ok: false, figures: { done: 0, passed: 0 } })
  })

  it('names a wrong setting', async () => {
    const { code, output } = await runCheck({ OPENAI_BASE_URL: 'not an address' })
    expect(code).toBe(1)
    expect(output).toContain('OPENAI_BASE_URL: an address as https://host/v1')
  })

  it('reports each goal, and fails, if the endpoint refuses the key', async () => {
    model = await startMisbehavingModel(() => 'a status of 401')
    const { code, output, last } = await runCheck({ OPENAI_BASE_URL: model.baseURL })
    expect(code).toBe(1)
    expect(last.figures).toMatchObject({ goals: 12, done: 12, passed: 0, tokens: 0 })
    expect(output).toContain('so the key is wrong')
  })
})

describe('checkedGoals', () => {
  it('are a dozen, three of them research', () => {
    expect(checkedGoals).toHaveLength(12)
    expect(checkedGoals.filter(({ title }) => title.startsWith('research'))).toHaveLength(3)
  })
})

describe('runCheckedGoal', () => {
  const goal = (title: string) => checkedGoals.find((one) => one.title === title) ?? checkedGoals[0]
  /** Plans one step of a skill over a value and the attachments. */
  const planOf = (asked: Asked, skill: string, value: object) => {
    const { offers, attachments } = dataOf(asked) as {
      offers: readonly { offer: number; skill: string; inputs: readonly { name: string; type: string }[] }[]
      attachments: readonly { value: number; type: string }[]
    }
    const offer = offers.find((one) => one.skill === skill)
    const [query, ...files] = offer?.inputs ?? []
    const inputs = files.flatMap(({ name, type }, index) => {
      const file = attachments.filter((one) => one.type === type)[files.slice(0, index).filter((one) => one.type === type).length]
      return file ? [{ port: name, from_step: null, value: file.value }] : []
    })
    return {
      question: null,
      summary: 'As asked.',
      values: [{ type: query?.type ?? '', json: JSON.stringify(value) }],
      wanted: [],
      steps: [
        { offer: offer?.offer ?? 99, inputs: [{ port: query?.name ?? '', from_step: null, value: attachments.length + 1 }, ...inputs] },
      ],
    }
  }
  async function run(title: string, skill: string, value: object, atWork: ModelReply) {
    model = await startMisbehavingModel((_, asked) =>
      asked.messages[0]?.content?.startsWith('Your task is to plan') ? { content: planOf(asked, skill, value) } : atWork,
    )
    const settings = settingsFor(model.baseURL)
    const checked = goal(title)
    if (!checked) throw new Error(title)
    return runCheckedGoal(checked, openCheckedMarket(settings), settings)
  }

  it('passes a goal whose answer has what is expected', async () => {
    const done = await run(
      'translate',
      'writing.translation',
      { text: "The library opens at nine o'clock", target_language: 'German' },
      { content: 'Die Bibliothek öffnet um neun Uhr' },
    )
    expect(done).toMatchObject({ isOk: true, steps: ['writing.translation'], tokens: 70 })
  })

  it('fails one whose answer is something else', async () => {
    const done = await run(
      'translate',
      'writing.translation',
      { text: 'The library opens', target_language: 'German' },
      { content: 'Guten Tag' },
    )
    expect(done).toMatchObject({ isOk: false, text: expect.stringContaining('It lacks /Bibliothek') })
  })

  it('takes files along, and computes by a tool', async () => {
    const query = {
      why_not: null,
      table: 1,
      numbers: [{ function: 'sum', column: 'Qty', operator: '*', second_column: 'Price' }],
      group_by: [{ column: 'Region', part: null }],
      filters: [],
      columns: [],
      sort: { column: null, direction: 'highest' },
      limit: 1,
      share: false,
    }
    const done = await run('ask a table', 'reading.table_answer', { question: 'Welche Region?' }, { content: query })
    expect(done).toMatchObject({ isOk: true, text: expect.stringContaining('North') })
  })
})
