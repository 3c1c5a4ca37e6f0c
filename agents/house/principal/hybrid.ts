/** The planner that trusts no model: it proposes, the rules refuse with reasons, it revises; after a few tries the search takes over. */
import { ModelFault, type ModelOptions, openChat, type Said } from './chat.ts'
import { checkPlan } from './check-plan.ts'
import { maxOffers, planQuestion, planShape, readPlan } from './model-plan.ts'
import { type Planned, type Planner, planByRule } from './planner.ts'
import { prompts } from './prompts.ts'

const maxTries = 3

export function hybridPlanner(options: ModelOptions): Planner {
  return async (input): Promise<Planned> => {
    const chat = openChat(options)
    const offers = input.offers.slice(0, maxOffers)
    const said: Said[] = [{ role: 'user', content: planQuestion(input, offers) }]
    const refused: string[] = []
    try {
      for (let tries = 1; tries <= maxTries; tries++) {
        const { answer, text } = await chat.ask(prompts.plan, said, planShape)
        if (answer.question) return { question: answer.question.slice(0, 2_000) }
        const faults = faultsOf(() => readPlan(answer, input, offers), input.msLeft)
        if (!Array.isArray(faults)) {
          const made = { prompts: chat.used, asks: chat.asks, refused }
          return { plan: faults.plan, summary: answer.summary.slice(0, 500), mode: 'hybrid', made }
        }
        refused.push(...faults)
        said.push({ role: 'assistant', content: text })
        said.push({ role: 'user', content: `${chat.use(prompts.revise)}\n\n${JSON.stringify({ refused: faults })}` })
      }
      return byRule(`The model's plans were refused ${maxTries} times (${refused.at(-1)}), so I plan by rule.`)
    } catch (error) {
      if (!(error instanceof ModelFault)) throw error
      return byRule(`The model gave no usable plan (${error.message}), so I plan by rule.`)
    }

    function byRule(remark: string): Planned {
      return planByRule(input, remark, { prompts: chat.used, asks: chat.asks, refused })
    }
  }
}

/** The plan where it holds, otherwise why not: what can't even be laid out is a reason like any other. */
function faultsOf(read: () => ReturnType<typeof readPlan>, msLeft: number): string[] | ReturnType<typeof readPlan> {
  try {
    const laid = read()
    const faults = checkPlan(laid.plan, laid.task, msLeft)
    return faults.length > 0 ? faults : laid
  } catch (error) {
    if (error instanceof ModelFault) return [`The plan can't be laid out: ${error.message}.`]
    throw error
  }
}
