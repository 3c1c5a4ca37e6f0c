import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createChatEndpoint } from '../../../../../agents/builtin/model/endpoint/chat-endpoint.ts'
import { readModelSettings } from '../../../../../agents/builtin/model/model-settings.ts'
import { taskPrompts } from '../../../../../agents/builtin/model/prompts.ts'
import { startModelTask } from '../../../../../agents/builtin/model/task/model-task.ts'
import { costOf, estimateTokens } from '../../../../../agents/builtin/model/task/token-meter.ts'
import { SkillRefused } from '../../../../../agents/builtin/skill.ts'
import { type MisbehavingModel, type ModelReply, startMisbehavingModel } from '../../../../support/misbehaving-model.ts'

let model: MisbehavingModel | undefined
afterEach(async () => {
  await model?.[Symbol.asyncDispose]()
  model = undefined
})

const shape = { name: 'greeting', schema: z.object({ word: z.string().max(10), times: z.number().int() }) }

async function taskFor(reply: (nth: number) => ModelReply, budget = { input: 20_000, output: 2_000 }) {
  model = await startMisbehavingModel(reply)
  const settings = readModelSettings({ OPENAI_BASE_URL: model.baseURL, OPENAI_MODEL: 'm' })
  if (!settings) throw new Error('no settings')
  const endpoint = createChatEndpoint({ ...settings, timeoutMs: 400, backoffMs: 5 })
  return startModelTask({ settings, budget, endpoint, taskMs: 5_000 })
}
const value = (reply: (nth: number) => ModelReply) => async () => (await taskFor(reply)).askValue(taskPrompts.extract, { text: 'x' }, shape)

describe('startModelTask', () => {
  it('returns a value of the schema, and how it was made', async () => {
    const task = await taskFor(() => ({ content: { word: 'hi', times: 2 } }))
    expect(await task.askValue(taskPrompts.extract, { text: 'x' }, shape)).toEqual({ word: 'hi', times: 2 })
    expect(task.provenance).toEqual({ model: 'm', prompts: ['extract.v1'], requests: 1, tokens: { input: 50, output: 20 } })
    expect(model?.asked[0]).toMatchObject({ response_format: { json_schema: { name: 'greeting', strict: true } } })
    // Strict endpoints refuse limits of texts.
    expect(JSON.stringify(model?.asked[0]?.response_format)).not.toContain('maxLength')
    expect(model?.asked[0]?.messages[0]?.content).toContain('"maxLength":10')
  })

  it.each([
    ['prose', 'I would say hi.'],
    ['a wrong schema', { word: 'hi', times: 'two' }],
    ['too long a text', { word: 'x'.repeat(11), times: 1 }],
    ['an empty text', ''],
    ['another kind of JSON', '[1,2'],
  ])('asks again for %s, with the reason', async (_, content) => {
    expect(await value((nth) => ({ content: nth === 1 ? content : { word: 'hi', times: 2 } }))()).toEqual({ word: 'hi', times: 2 })
    expect(model?.asked).toHaveLength(2)
    expect(model?.asked[1]?.messages.at(-1)?.content).toContain('Your answer was refused')
  })

  it.each([
    '```json\n{"word":"hi","times":2}\n```',
    '<think>Let me see {</think>{"word":"hi","times":2}',
    'Here it is: {"word":"hi","times":2}',
  ])('finds the JSON in %j', async (content) => {
    expect(await value(() => ({ content }))()).toEqual({ word: 'hi', times: 2 })
    expect(model?.asked).toHaveLength(1)
  })

  it('refuses the work after three wrong answers', async () => {
    await expect(value(() => ({ content: 'no' }))()).rejects.toThrow(
      /no usable answer: 3 answers were refused: The answer is not JSON.*not paid/,
    )
    expect(model?.asked).toHaveLength(3)
  })

  it('refuses the work if the endpoint stays broken', async () => {
    await expect(value(() => 'a status of 500')()).rejects.toThrow(SkillRefused)
    expect(model?.asked).toHaveLength(3)
  })

  it('delivers no part of an answer that ends at the budget', async () => {
    await expect(value(() => 'an answer that is cut')()).rejects.toThrow(/token budget .* is too small .* not paid/)
    expect(model?.asked).toHaveLength(1)
  })

  it('makes no request that its budget cannot pay', async () => {
    const task = await taskFor(() => ({ content: 'x' }), { input: 1_000, output: 1_000 })
    await expect(task.askText(taskPrompts.translate, { text: 'word '.repeat(2_000) })).rejects.toThrow(/token budget/)
    expect(model?.asked).toHaveLength(0)
  })

  it('stops at the budget over several requests', async () => {
    const task = await taskFor(() => ({ content: 'no', usage: { prompt_tokens: 900, completion_tokens: 950 } }))
    await expect(task.askValue(taskPrompts.extract, { text: 'x' }, shape)).rejects.toThrow(/token budget/)
    expect(model?.asked).toHaveLength(2)
    expect(model?.asked[1]).toMatchObject({ max_tokens: 1_050 })
  })

  it('does not use an answer that cost more than the budget', async () => {
    const task = await taskFor(() => ({ content: { word: 'hi', times: 2 }, usage: { prompt_tokens: 5, completion_tokens: 9_999_999 } }))
    await expect(task.askValue(taskPrompts.extract, { text: 'x' }, shape)).rejects.toThrow(/token budget/)
  })

  it('estimates tokens where the endpoint states none', async () => {
    const task = await taskFor(() => ({ content: 'Guten Morgen', usage: null }))
    await task.askText(taskPrompts.translate, { text: 'Good morning' })
    expect(task.provenance.tokens.output).toBe(estimateTokens('Guten Morgen'))
    expect(task.provenance.tokens.input).toBeGreaterThan(100)
  })
})

describe('costOf', () => {
  it('is exact in base units, rounded up', () => {
    const prices = { inputPrice: 400_000n, outputPrice: 1_600_000n }
    expect(costOf({ input: 32_000, output: 6_000 }, prices)).toBe(22_400n)
    expect(costOf({ input: 1, output: 0 }, prices)).toBe(1n)
    expect(costOf({ input: 0, output: 0 }, prices)).toBe(0n)
  })
})
