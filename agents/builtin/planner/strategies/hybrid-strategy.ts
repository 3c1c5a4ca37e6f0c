/**
 * The hybrid strategy: the model proposes a plan, the checks return its errors, and the model revises it. After a few attempts the
 * search plans. The model may search gateways.
 */
import type { EndpointOptions } from '../../model/endpoint/chat-endpoint.ts'
import { UnusableAnswerError } from '../../model/endpoint/unusable-answer-error.ts'
import { plannerPrompts } from '../../model/prompts.ts'
import { rankOffers } from '../intent/rank-offers.ts'
import { type ChatMessage, createOpenAiChat, type ModelChat } from '../llm/openai-chat.ts'
import { listPlanErrors } from '../plan/list-plan-errors.ts'
import type { SkillOffer } from '../plan/skill-offers.ts'
import { createAgentDiscovery, type Discovery, discoveryTool } from './agent-discovery.ts'
import { fallBackToSearch } from './deterministic-strategy.ts'
import { findValueErrors, summaryWithValues } from './find-value-errors.ts'
import { type ModelPlan, maxOffers, parseModelPlan, planFormat, planPrompt } from './model-plan.ts'
import type { PlanningInput, PlanningResult, PlanningStrategy } from './strategy.ts'

const maxTries = 3
/** Gateway searches in one chat. */
const maxLooks = 3

export function createHybridStrategy(options: EndpointOptions): PlanningStrategy {
  return async (input): Promise<PlanningResult> => {
    const chat = createOpenAiChat(options)
    const local = offersFor(input)
    const discovery = input.gatewayMarket && createAgentDiscovery(input, local)
    const messages: ChatMessage[] = [{ role: 'user', content: planPrompt(input, local) }]
    const refused: string[] = []
    try {
      for (let tries = 1; tries <= maxTries; tries++) {
        const { answer, text } = discovery
          ? await askLooking(chat, messages, discovery)
          : await chat.ask(plannerPrompts.plan, messages, planFormat)
        if (answer.question) return { question: answer.question.slice(0, 2_000) }
        const offers = discovery ? await hireChosen(answer, discovery) : local
        const faults = faultsOf(() => parseModelPlan(answer, input, offers), input)
        if (!Array.isArray(faults)) {
          const made = { prompts: chat.promptNames, asks: chat.requests, refused }
          return { plan: faults.plan, summary: summaryWithValues(answer.summary, faults.plan), mode: 'hybrid', made }
        }
        refused.push(...faults)
        messages.push({ role: 'assistant', content: text })
        messages.push({ role: 'user', content: `${chat.promptText(plannerPrompts.revise)}\n\n${JSON.stringify({ refused: faults })}` })
      }
      return byRule(`The model's plans were refused ${maxTries} times (${refused.at(-1)}), so I plan by rule.`)
    } catch (error) {
      if (!(error instanceof UnusableAnswerError)) throw error
      return byRule(`The model gave no usable plan (${error.message}), so I plan by rule.`)
    }

    function byRule(remark: string): PlanningResult {
      return fallBackToSearch(input, remark, { prompts: chat.promptNames, asks: chat.requests, refused })
    }
  }
}

/** As many offers as a prompt holds. Of a larger market, those that fit the words of the goal come first. */
function offersFor({ goal, offers }: PlanningInput): readonly SkillOffer[] {
  if (offers.length <= maxOffers) return offers
  return [...new Set([...rankOffers([goal.text, ...goal.answers].join('\n'), offers), ...offers])].slice(0, maxOffers)
}

/** The model's plan, after at most `maxLooks` searches. */
async function askLooking(chat: ModelChat, messages: ChatMessage[], discovery: Discovery): Promise<{ answer: ModelPlan; text: string }> {
  for (let looks = 0; looks < maxLooks; looks++) {
    const got = await chat.askOrCall(plannerPrompts.plan, messages, planFormat, [discoveryTool])
    if ('answer' in got) return got
    messages.push(got.conversation)
    for (const { id, args } of got.calls)
      messages.push({ role: 'tool', tool_call_id: id, content: JSON.stringify(await discovery.search(args)) })
  }
  return chat.ask(plannerPrompts.plan, messages, planFormat)
}

/** The offers by number, with the chosen resources listed here. Undefined for a resource that cannot be listed. */
async function hireChosen({ steps }: ModelPlan, { offers, hire }: Discovery): Promise<readonly (SkillOffer | undefined)[]> {
  const named = new Set(steps.map(({ offer }) => offer))
  return Promise.all(offers.map(async (offer, index) => (named.has(index) ? ((await hire(offer)) ?? undefined) : offer)))
}

/** The plan, or its errors. A plan that cannot be built is an error, too. */
function faultsOf(
  read: () => ReturnType<typeof parseModelPlan>,
  { msLeft, team }: PlanningInput,
): string[] | ReturnType<typeof parseModelPlan> {
  try {
    const laid = read()
    const faults = [...listPlanErrors(laid.plan, laid.task, msLeft, team), ...findValueErrors(laid.plan)]
    return faults.length > 0 ? faults : laid
  } catch (error) {
    if (error instanceof UnusableAnswerError) return [`The plan can't be laid out: ${error.message}.`]
    throw error
  }
}
