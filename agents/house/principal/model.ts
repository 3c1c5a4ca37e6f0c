/**
 * The planner that leaves the choice to a language model: it finds agents with `agent_discovery`, names a team with `team_up`,
 * plans with that team, has its plan judged, and revises it once. Budget, types, deadline and policy bind it all the same.
 */
import type { Json } from '@parley/protocol'
import { z } from 'zod'
import { type Chat, ModelFault, type ModelOptions, openChat, type Said, type Tool } from './chat.ts'
import { checkPlan } from './check-plan.ts'
import { rankOffers } from './match.ts'
import { goalOf, type ModelPlan, offerLine, planQuestion, planShape, readPlan } from './model-plan.ts'
import type { SkillOffer } from './offers.ts'
import { type Planned, type Planner, type PlanningInput, planByRule } from './planner.ts'
import { prompts } from './prompts.ts'

/** Looks at the market before the team has to be named. */
const maxLooks = 6
const maxFound = 12

const Queries = z.object({ queries: z.array(z.string()).describe('A few words each: what is to be made.') })
const Members = z.object({ agents: z.array(z.string()).describe('Names of agents that were found.') })
const Critique = z.object({ faults: z.array(z.string()).describe('One sentence each; empty where nothing is wrong.') })

const tools: readonly Tool[] = [
  { name: 'agent_discovery', description: 'Finds agents online by what their skills make.', parameters: Queries },
  { name: 'team_up', description: 'Names the team. Ends the search.', parameters: Members },
]

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
  for (let looks = 0; looks <= maxLooks; looks++) {
    const { calls, said: answer } = await chat.callTools(prompts.discover, said, tools, looks === maxLooks ? 'team_up' : undefined)
    said.push(answer)
    for (const { id, name, args } of calls) {
      const members = name === 'team_up' ? Members.safeParse(args) : undefined
      const chosen = input.offers.filter((offer) => members?.data?.agents.includes(offer.handle))
      if (chosen.length > 0) return chosen
      said.push({ role: 'tool', tool_call_id: id, content: JSON.stringify(name === 'agent_discovery' ? found(args, input) : unknownTeam) })
    }
  }
  throw new ModelFault('it named no team')
}

const unknownTeam = { fault: 'None of these agents was found. Name agents as agent_discovery wrote them.' }

function found(args: unknown, { offers, decimals }: PlanningInput): Json {
  const queries = Queries.safeParse(args)
  if (!queries.success) return { fault: 'agent_discovery takes {"queries": [text, …]}.' }
  return queries.data.queries.slice(0, 8).map((query) => ({
    query,
    agents: rankOffers(query, offers)
      .slice(0, maxFound)
      .map((offer) => offerLine(offer, offers.indexOf(offer), decimals)),
  }))
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
