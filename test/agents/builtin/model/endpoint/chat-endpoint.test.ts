import { afterEach, describe, expect, it } from 'vitest'
import { createChatEndpoint } from '../../../../../agents/builtin/model/endpoint/chat-endpoint.ts'
import { UnusableAnswerError } from '../../../../../agents/builtin/model/endpoint/unusable-answer-error.ts'
import { type MisbehavingModel, type ModelFailure, type ModelReply, startMisbehavingModel } from '../../../../support/misbehaving-model.ts'

let model: MisbehavingModel | undefined
afterEach(async () => {
  await model?.[Symbol.asyncDispose]()
  model = undefined
})

const good = { content: 'hello' }
const ask = { messages: [{ role: 'user' as const, content: 'Say hello.' }], maxOutputTokens: 100 }

async function endpointFor(reply: (nth: number) => ModelReply, timeoutMs = 400) {
  model = await startMisbehavingModel(reply)
  return createChatEndpoint({ apiKey: 'secret-key', baseURL: model.baseURL, model: 'm', timeoutMs, backoffMs: 5 })
}

const repeated: readonly ModelFailure[] = [
  'broken JSON',
  'no completion',
  'HTML',
  'nothing',
  'oversized',
  'endless',
  'silence',
  'a status of 429',
  'a status of 500',
  'a redirect',
  'a dropped connection',
]

describe('createChatEndpoint', () => {
  it.each(repeated)('repeats a request that %s answers, and takes the good answer', async (failure) => {
    const endpoint = await endpointFor((nth) => (nth === 1 ? failure : good))
    expect(await endpoint.complete(ask)).toMatchObject({ content: 'hello', usage: { input: 50, output: 20 }, isCut: false })
    expect(model?.asked).toHaveLength(2)
  })

  it.each(repeated)('gives up after three times %s, with a reason and without the key', async (failure) => {
    const endpoint = await endpointFor(() => failure)
    const error = await endpoint.complete(ask).catch((one: unknown) => one)
    expect(error).toBeInstanceOf(UnusableAnswerError)
    expect((error as Error).message).toMatch(/^its|^it /)
    expect((error as Error).message).not.toContain('secret-key')
    expect(model?.asked).toHaveLength(3)
  })

  it('does not repeat what a repetition cannot change, and reports that the key is wrong', async () => {
    const endpoint = await endpointFor(() => 'a status of 401')
    await expect(endpoint.complete(ask)).rejects.toThrow('status 401, so the key is wrong')
    expect(model?.asked).toHaveLength(1)
  })

  it('ends when the task ends', async () => {
    const endpoint = await endpointFor(() => 'silence', 10_000)
    const startedAt = Date.now()
    await expect(endpoint.complete(ask, AbortSignal.timeout(100))).rejects.toThrow('the time of the task ended')
    expect(Date.now() - startedAt).toBeLessThan(3_000)
  })

  it('limits the output of local runtimes by the field that they know', async () => {
    const endpoint = await endpointFor(() => good)
    await endpoint.complete(ask)
    expect(model?.asked[0]).toMatchObject({ model: 'm', max_tokens: 100 })
  })

  it.each([
    ['an impossible usage', { prompt_tokens: -5, completion_tokens: 'many' }],
    ['no usage', null],
  ])('states no tokens for %s', async (_, usage) => {
    const endpoint = await endpointFor(() => ({ content: 'hello', usage }))
    expect((await endpoint.complete(ask)).usage).toBeUndefined()
  })
})
