/** The settings of the language model. Agents read them from the environment at their start. */
import { z } from 'zod'

const address = z.string().refine((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''), 'an address as https://host/v1')
const dollars = z.string().regex(/^\d{1,6}(\.\d{1,6})?$/, 'dollars as 0.40')
const tokens = z.coerce.number().int().min(500).max(10_000_000)

/** Every variable of the model: meaning, default, check. Tests compare it with `.env.example` and `docs/settings.md`. */
export const modelEnvironment = z.object({
  OPENAI_API_KEY: z
    .string()
    .optional()
    .describe('Key of an OpenAI-compatible endpoint. Unset, and no OPENAI_BASE_URL: agents use no language model.'),
  OPENAI_BASE_URL: address
    .optional()
    .describe(
      'Address of the endpoint up to its version, as http://127.0.0.1:11434/v1 for a local runtime, which needs no key. Unset: OpenAI’s.',
    ),
  OPENAI_MODEL: z.string().min(1).max(200).default('gpt-4.1-mini').describe('Name of the model at the endpoint.'),
  MODEL_INPUT_PRICE: dollars
    .default('0.40')
    .describe('What a million input tokens cost at the endpoint, in dollars. It is part of the prices of agents that use the model.'),
  MODEL_OUTPUT_PRICE: dollars.default('1.60').describe('What a million output tokens cost there, in dollars.'),
  MODEL_INPUT_TOKENS: tokens
    .default(32_000)
    .describe('Input tokens that one task of the model may use in all requests. Some skills may use a multiple.'),
  MODEL_OUTPUT_TOKENS: tokens.default(6_000).describe('The same for output tokens.'),
  MODEL_TIMEOUT_SECONDS: z.coerce
    .number()
    .int()
    .min(1)
    .max(200)
    .default(60)
    .describe('Longest time that one request to the model may take.'),
  RESEARCH_SEARCH_URL: z
    .string()
    .regex(/^https?:\/\/[^\s]+\{query\}/, 'an address with {query}, as https://search.example/search?format=json&q={query}')
    .optional()
    .describe(
      'Search engine of the research agent: an address with {query} that answers in the JSON of SearXNG. Unset: Wikipedia’s search.',
    ),
})

/** What agents know of the model. Prices are base units per million tokens. */
export type ModelSettings = {
  readonly apiKey: string
  /** Undefined: OpenAI's own. */
  readonly baseURL: string | undefined
  readonly model: string
  readonly inputPrice: bigint
  readonly outputPrice: bigint
  readonly inputTokens: number
  readonly outputTokens: number
  readonly timeoutMs: number
  readonly searchUrl: string | undefined
}

/** A local runtime ignores the key, but requests carry one. */
const noKey = 'none'

/** The variables of a process. */
export type EnvironmentVariables = { readonly [name: string]: string | undefined }

/** True if an endpoint is configured. */
export const hasModel = (env: EnvironmentVariables): boolean => Boolean(env.OPENAI_API_KEY || env.OPENAI_BASE_URL)

/** Undefined if no endpoint is configured. @throws {RangeError} that names each invalid variable */
export function readModelSettings(env: EnvironmentVariables): ModelSettings | undefined {
  if (!hasModel(env)) return undefined
  const given = Object.fromEntries(Object.keys(modelEnvironment.shape).flatMap((name) => (env[name] ? [[name, env[name]]] : [])))
  const read = modelEnvironment.safeParse(given)
  if (!read.success)
    throw new RangeError(
      `The settings of the model are wrong. ${read.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ')}.`,
    )
  const { data } = read
  return {
    apiKey: data.OPENAI_API_KEY ?? noKey,
    baseURL: data.OPENAI_BASE_URL,
    model: data.OPENAI_MODEL,
    inputPrice: toBaseUnits(data.MODEL_INPUT_PRICE),
    outputPrice: toBaseUnits(data.MODEL_OUTPUT_PRICE),
    inputTokens: data.MODEL_INPUT_TOKENS,
    outputTokens: data.MODEL_OUTPUT_TOKENS,
    timeoutMs: data.MODEL_TIMEOUT_SECONDS * 1_000,
    searchUrl: data.RESEARCH_SEARCH_URL,
  }
}

/** Dollars to base units of a coin with six decimals. */
function toBaseUnits(text: string): bigint {
  const [whole = '0', fraction = ''] = text.split('.')
  return BigInt(whole) * 1_000_000n + BigInt(fraction.padEnd(6, '0'))
}
