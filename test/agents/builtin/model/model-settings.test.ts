import { describe, expect, it } from 'vitest'
import { hasModel, readModelSettings } from '../../../../agents/builtin/model/model-settings.ts'

describe('readModelSettings', () => {
  it('is undefined without an endpoint, regardless of other settings', () => {
    for (const env of [{}, { OPENAI_API_KEY: '', OPENAI_BASE_URL: '', OPENAI_MODEL: 'm', MODEL_INPUT_PRICE: 'free' }]) {
      expect(readModelSettings(env)).toBeUndefined()
      expect(hasModel(env)).toBe(false)
    }
  })

  it('reads a local runtime without a key', () => {
    expect(
      readModelSettings({
        OPENAI_BASE_URL: 'http://127.0.0.1:11434/v1',
        OPENAI_MODEL: 'llama',
        MODEL_INPUT_PRICE: '0',
        MODEL_OUTPUT_PRICE: '0.25',
      }),
    ).toMatchObject({
      baseURL: 'http://127.0.0.1:11434/v1',
      model: 'llama',
      inputPrice: 0n,
      outputPrice: 250_000n,
      timeoutMs: 60_000,
    })
  })

  it('has a default for everything but the key', () => {
    expect(readModelSettings({ OPENAI_API_KEY: 'key' })).toMatchObject({
      apiKey: 'key',
      baseURL: undefined,
      ...{ inputPrice: 400_000n, outputPrice: 1_600_000n, inputTokens: 32_000, outputTokens: 6_000 },
    })
  })

  it.each([
    ['OPENAI_BASE_URL', 'ftp://x', 'an address as https://host/v1'],
    ['MODEL_INPUT_PRICE', '-1', 'dollars as 0.40'],
    ['MODEL_OUTPUT_TOKENS', '3', 'MODEL_OUTPUT_TOKENS'],
    ['MODEL_TIMEOUT_SECONDS', 'soon', 'MODEL_TIMEOUT_SECONDS'],
    ['RESEARCH_SEARCH_URL', 'https://search.example', '{query}'],
  ])('names a wrong %s, and no secret', (name, value, words) => {
    const read = () => readModelSettings({ OPENAI_API_KEY: 'secret-key', [name]: value })
    expect(read).toThrow(words)
    expect(read).not.toThrow('secret-key')
  })
})
