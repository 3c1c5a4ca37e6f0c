import { plannerPrompts } from '../../../../agents/builtin/model/prompts.ts'
import { type Asked, digestOf, type Exchange, type ModelAnswer } from '../../../support/model-double.ts'

/** What a transcript keeps of one exchange. `says`: words that the last message has to have again. */
export function exchangeOf(asked: Asked, answers: ModelAnswer, says: readonly string[]): Exchange {
  const prompt = Object.values(plannerPrompts).find((one) => one.text === asked.messages[0]?.content)?.name ?? ''
  const tools = asked.tools?.map((tool) => tool.function.name)
  return {
    asks: {
      prompt,
      sha256: digestOf(asked.messages[0]?.content ?? ''),
      ...(asked.response_format && { shape: asked.response_format.json_schema.name }),
      ...(tools && { tools }),
      says,
    },
    answers,
  }
}
