/**
 * The model strategy: the model searches for agents with `agent_discovery`, names a team with `team_up`, plans, has its plan
 * criticized, and revises it once. Budget, types, deadline and limits are checked nevertheless.
 */
import { z } from 'zod'
import type { EndpointOptions } from '../../model/endpoint/chat-endpoint.ts'
import { UnusableAnswerError } from '../../model/endpoint/unusable-answer-error.ts'
import { plannerPrompts } from '../../model/prompts.ts'
import { type ChatMessage, createOpenAiChat, type ModelChat, type ModelTool } from '../llm/openai-chat.ts'
import { listPlanErrors } from '../plan/list-plan-errors.ts'
import type { SkillOffer } from '../plan/skill-offers.ts'
import { createAgentDiscovery, type Discovery, discoveryTool } from './agent-discovery.ts'
import { fallBackToSearch } from './deterministic-strategy.ts'
import { findValueErrors, summaryWithValues } from './find-value-errors.ts'
import { describeGoal, describeOffer, type ModelPlan, parseModelPlan, planFormat, planPrompt } from './model-plan.ts'
import type { PlanningInput, PlanningResult, PlanningStrategy } from './strategy.ts'

/** Searches before the team must be named. */
const maxLooks = 6

const Members = z.object({ agents: z.array(z.string()).describe('Names of agents that were found.') })
const Critique = z.object({ faults: z.array(z.string()).describe('One sentence each; empty where nothing is wrong.') })

const tools: readonly ModelTool[] = [
  discoveryTool,
  { name: 'team_up', description: 'Names the team. Ends the search.', parameters: Members },
]

export function createModelStrategy(options: EndpointOptions): PlanningStrategy {
  return async (input): Promise<PlanningResult> => {
    const chat = createOpenAiChat(options)
    const refused: string[] = []
    const made = () => ({ prompts: chat.promptNames, asks: chat.requests, refused })
    try {
      const offers = await teamUp(chat, input)
      const messages: ChatMessage[] = [{ role: 'user', content: planPrompt(input, offers) }]
      const first = await chat.ask(plannerPrompts.plan, messages, planFormat)
      if (first.answer.question) return { question: first.answer.question.slice(0, 2_000) }
      const { faults } = (
        await chat.ask(plannerPrompts.critique, [{ role: 'user', content: critiqueOf(input, offers, first.answer) }], {
          name: 'critique',
          schema: Critique,
        })
      ).answer
      refused.push(...faults.slice(0, 10))
      const answer = faults.length === 0 ? first.answer : await revise(chat, messages, first.text, faults)
      const { plan, task } = parseModelPlan(answer, input, offers)
      const wrong = [...listPlanErrors(plan, task, input.msLeft, input.team), ...findValueErrors(plan)]
      if (wrong.length > 0) throw new UnusableAnswerError(wrong.slice(0, 2).join(' '))
      return { plan, summary: summaryWithValues(answer.summary, plan), mode: 'model', made: made() }
    } catch (error) {
      if (!(error instanceof UnusableAnswerError)) throw error
      return fallBackToSearch(input, `The model gave no usable plan (${error.message}), so I plan by rule.`, made())
    }
  }
}

/** The offers of the team that the model names. @throws {UnusableAnswerError} if it names none */
async function teamUp(chat: ModelChat, input: PlanningInput): Promise<readonly SkillOffer[]> {
  const messages: ChatMessage[] = [{ role: 'user', content: JSON.stringify(describeGoal(input)) }]
  const discovery = createAgentDiscovery(input, input.offers)
  for (let looks = 0; looks <= maxLooks; looks++) {
    const { calls, conversation: answer } = await chat.callTools(
      plannerPrompts.discover,
      messages,
      tools,
      looks === maxLooks ? 'team_up' : undefined,
    )
    messages.push(answer)
    for (const { id, name, args } of calls) {
      const named = name === 'team_up' ? await hireNamed(args, discovery) : undefined
      if (named?.fault === null) return named.offers
      messages.push({ role: 'tool', tool_call_id: id, content: JSON.stringify(named ?? (await discovery.search(args))) })
    }
  }
  throw new UnusableAnswerError('it named no team')
}

/** The offers of the named agents; or an error for the model if one cannot be hired. */
async function hireNamed(args: unknown, discovery: Discovery): Promise<{ fault: string } | { fault: null; offers: SkillOffer[] }> {
  const members = Members.safeParse(args)
  const chosen = discovery.offers.filter((offer) => members.data?.agents.includes(offer.handle))
  if (chosen.length === 0) return { fault: 'None of these agents was found. Name agents as agent_discovery wrote them.' }
  const hired = await Promise.all(chosen.map(async (offer) => ({ offer, as: await discovery.hire(offer) })))
  const gone = new Set(hired.flatMap(({ offer, as }) => (as ? [] : [offer.handle])))
  if (gone.size > 0) return { fault: `${[...gone].join(', ')} can't be had now. Name a team without.` }
  return { fault: null, offers: hired.flatMap(({ as }) => as ?? []) }
}

/** The plan with names instead of numbers, because the critique does not see the first prompt. */
function critiqueOf(input: PlanningInput, offers: readonly SkillOffer[], plan: ModelPlan): string {
  const steps = plan.steps.map(({ offer, inputs }, index) => ({
    step: index + 1,
    agent: offers[offer]?.handle ?? null,
    skill: offers[offer]?.skill.id ?? null,
    after: inputs.flatMap((one) => one.from_step ?? []),
    makes: offers[offer]?.skill.outputs.map((port) => port.type) ?? [],
  }))
  const lines = offers.map((offer, index) => describeOffer(offer, index, input.decimals))
  return JSON.stringify({ ...describeGoal(input), plan: { summary: plan.summary, wanted: plan.wanted, steps }, offers: lines })
}

async function revise(chat: ModelChat, messages: readonly ChatMessage[], text: string, faults: readonly string[]): Promise<ModelPlan> {
  const words = `${chat.promptText(plannerPrompts.revise)}\n\n${JSON.stringify({ refused: faults.slice(0, 10) })}`
  return (
    await chat.ask(plannerPrompts.plan, [...messages, { role: 'assistant', content: text }, { role: 'user', content: words }], planFormat)
  ).answer
}
