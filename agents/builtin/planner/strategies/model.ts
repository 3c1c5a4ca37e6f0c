/**
 * The planner that leaves the choice to a language model: it finds agents with `agent_discovery`, here and through gateways, names a team with `team_up`,
 * plans with that team, has its plan judged, and revises it once. Budget, types, deadline and policy bind it all the same.
 */
import { z } from 'zod'
import { type Chat, ModelFault, type ModelOptions, openChat, type Said, type Tool } from '../llm/openai-chat.ts'
import { prompts } from '../llm/prompts.ts'
import { checkPlan } from '../plan/check-plan.ts'
import type { SkillOffer } from '../plan/skill-offers.ts'
import { type Discovery, discoveryTool, openDiscovery } from './agent-discovery.ts'
import { goalOf, type ModelPlan, offerLine, planQuestion, planShape, readPlan } from './model-plan.ts'
import { type Planned, type Planner, type PlanningInput, planByRule } from './strategy.ts'

/** Looks at the market before the team has to be named. */
const maxLooks = 6

const Members = z.object({ agents: z.array(z.string()).describe('Names of agents that were found.') })
const Critique = z.object({ faults: z.array(z.string()).describe('One sentence each; empty where nothing is wrong.') })

const tools: readonly Tool[] = [discoveryTool, { name: 'team_up', description: 'Names the team. Ends the search.', parameters: Members }]

export function modelPlanner(options: ModelOptions): Planner {
  return async (input): Promise<Planned> => {
    const chat = openChat(options)
    const refused: string[] = []
    const made = () => ({ prompts: chat.used, asks: chat.asks, refused })
    try {
      const offers = await teamUp(chat, input)
      const said: Said[] = [{ role: 'user', content: planQuestion(input, offers) }]
      const first = await chat.ask(prompts.plan, said, planShape)
      if (first.answer.question) return { question: first.answer.question.slice(0, 2_000) }
      const { faults } = (
        await chat.ask(prompts.critique, [{ role: 'user', content: critiqueOf(input, offers, first.answer) }], {
          name: 'critique',
          schema: Critique,
        })
      ).answer
      refused.push(...faults.slice(0, 10))
      const answer = faults.length === 0 ? first.answer : await revise(chat, said, first.text, faults)
      const { plan, task } = readPlan(answer, input, offers)
      const wrong = checkPlan(plan, task, input.msLeft)
      if (wrong.length > 0) throw new ModelFault(wrong.slice(0, 2).join(' '))
      return { plan, summary: answer.summary.slice(0, 500), mode: 'model', made: made() }
    } catch (error) {
      if (!(error instanceof ModelFault)) throw error
      return planByRule(input, `The model gave no usable plan (${error.message}), so I plan by rule.`, made())
    }
  }
}

/** The offers of the team that the model names. @throws {ModelFault} where it names nobody that is there. */
async function teamUp(chat: Chat, input: PlanningInput): Promise<readonly SkillOffer[]> {
  const said: Said[] = [{ role: 'user', content: JSON.stringify(goalOf(input)) }]
  const discovery = openDiscovery(input, input.offers)
  for (let looks = 0; looks <= maxLooks; looks++) {
    const { calls, said: answer } = await chat.callTools(prompts.discover, said, tools, looks === maxLooks ? 'team_up' : undefined)
    said.push(answer)
    for (const { id, name, args } of calls) {
      const named = name === 'team_up' ? await hireNamed(args, discovery) : undefined
      if (named?.fault === null) return named.offers
      said.push({ role: 'tool', tool_call_id: id, content: JSON.stringify(named ?? (await discovery.look(args))) })
    }
  }
  throw new ModelFault('it named no team')
}

/** The named agents' offers, where all of them can be hired; otherwise what is wrong, for the model to choose again. */
async function hireNamed(args: unknown, discovery: Discovery): Promise<{ fault: string } | { fault: null; offers: SkillOffer[] }> {
  const members = Members.safeParse(args)
  const chosen = discovery.offers.filter((offer) => members.data?.agents.includes(offer.handle))
  if (chosen.length === 0) return { fault: 'None of these agents was found. Name agents as agent_discovery wrote them.' }
  const hired = await Promise.all(chosen.map(async (offer) => ({ offer, as: await discovery.hire(offer) })))
  const gone = new Set(hired.flatMap(({ offer, as }) => (as ? [] : [offer.handle])))
  if (gone.size > 0) return { fault: `${[...gone].join(', ')} can't be had now. Name a team without.` }
  return { fault: null, offers: hired.flatMap(({ as }) => as ?? []) }
}

/** The plan in names, not in numbers: who judges it has not seen the question. */
function critiqueOf(input: PlanningInput, offers: readonly SkillOffer[], plan: ModelPlan): string {
  const steps = plan.steps.map(({ offer, inputs }, index) => ({
    step: index + 1,
    agent: offers[offer]?.handle ?? null,
    skill: offers[offer]?.skill.id ?? null,
    after: inputs.flatMap((one) => one.from_step ?? []),
    makes: offers[offer]?.skill.outputs.map((port) => port.type) ?? [],
  }))
  const lines = offers.map((offer, index) => offerLine(offer, index, input.decimals))
  return JSON.stringify({ ...goalOf(input), plan: { summary: plan.summary, wanted: plan.wanted, steps }, offers: lines })
}

async function revise(chat: Chat, said: readonly Said[], text: string, faults: readonly string[]): Promise<ModelPlan> {
  const words = `${chat.use(prompts.revise)}\n\n${JSON.stringify({ refused: faults.slice(0, 10) })}`
  return (await chat.ask(prompts.plan, [...said, { role: 'assistant', content: text }, { role: 'user', content: words }], planShape)).answer
}
