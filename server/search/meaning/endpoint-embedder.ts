/** An embedder behind an HTTP endpoint that answers like OpenAI's `/embeddings`. */
import { z } from 'zod'
import { normalise, type TextEmbedder } from './embedder.ts'

/** `url`: without `/embeddings`. `key`: the bearer token, if the endpoint wants one. */
export type EmbeddingEndpoint = {
  readonly url: string
  readonly model: string
  readonly dimensions: number
  readonly key?: string | undefined
}

const maxAnswerMs = 20_000
/** Of a text, in characters: every model that is in use takes as many. */
const maxText = 6_000
const Answer = z.object({ data: z.array(z.object({ index: z.int().nonnegative(), embedding: z.array(z.number()) })) })

export function createEndpointEmbedder({ url, model, dimensions, key }: EmbeddingEndpoint): TextEmbedder {
  return {
    // Vectors of different lengths cannot be compared either.
    ...{ model: `${model}/${dimensions}`, dimensions },
    async embedTexts(texts) {
      const answer = await fetch(`${url.replace(/\/$/, '')}/embeddings`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(key !== undefined && { authorization: `Bearer ${key}` }) },
        body: JSON.stringify({ model, input: texts.map((text) => text.slice(0, maxText)), encoding_format: 'float' }),
        signal: AbortSignal.timeout(maxAnswerMs),
      })
      if (!answer.ok)
        throw new Error(
          `The embedding endpoint answered with status ${answer.status}. Check EMBEDDING_URL, EMBEDDING_MODEL and EMBEDDING_API_KEY.`,
        )
      return vectorsOf(Answer.parse(await answer.json()), texts.length, dimensions)
    },
  }
}

function vectorsOf({ data }: z.infer<typeof Answer>, count: number, dimensions: number): Float32Array[] {
  const byIndex = new Map(data.map(({ index, embedding }) => [index, embedding]))
  return Array.from({ length: count }, (_, index) => {
    const values = byIndex.get(index)
    if (values === undefined) throw new Error(`The embedding endpoint answered ${byIndex.size} of ${count} texts.`)
    if (values.length !== dimensions)
      throw new Error(`The vectors of the embedding endpoint have ${values.length} dimensions, and EMBEDDING_DIMENSIONS is ${dimensions}.`)
    return normalise(Float32Array.from(values))
  })
}
