/** `npm run demo -- --mode …`: runs the same goal in each given mode, and checks that it was planned in that mode. */
import { type PlannerMode, plannerModes } from '@parley/protocol'
import { startModelDouble } from '../support/model-double.ts'
import { answerAsModel } from '../support/scripted-model.ts'
import type { Followed } from './follow-goal.ts'
import { type DemoGoal, demoGoals } from './goals.ts'
import { print } from './screen.ts'

/** The modes that were asked for; `all`: each of them. @throws where one is none of ours */
export function readModes(given: readonly string[]): PlannerMode[] {
  const names = given.flatMap((one) => one.split(','))
  const modes = names.includes('all') ? [...plannerModes] : plannerModes.filter((mode) => names.includes(mode))
  const odd = names.find((name) => name !== 'all' && !plannerModes.some((mode) => mode === name))
  if (odd !== undefined) throw new Error(`There is no mode ${odd}: ${plannerModes.join(', ')} or all.`)
  return modes
}

/** The first goal of the demo, in a mode. */
export function goalIn(mode: PlannerMode): DemoGoal {
  const [goal] = demoGoals
  if (!goal) throw new Error('the demo has no goal')
  const files = mode === 'copilot' ? { ...goal.expected.files, 'chart.svg': [/<svg/] } : goal.expected.files
  return { ...goal, name: mode, title: `Mode ${mode}: ${goal.title}`, planner: mode, expected: { ...goal.expected, files } }
}

export type Model = { readonly name: string; readonly env: { readonly [name: string]: string }; asked(): number; stop(): Promise<void> }

/** The model for the principal: what the environment names, or a double on loopback, which the output says. */
export async function modelFor(modes: readonly PlannerMode[], env: NodeJS.ProcessEnv): Promise<Model> {
  const needed = modes.some((mode) => mode !== 'deterministic')
  const { OPENAI_API_KEY, OPENAI_BASE_URL, OPENAI_MODEL } = env
  if (needed && OPENAI_API_KEY) {
    const set = { OPENAI_API_KEY, ...(OPENAI_BASE_URL && { OPENAI_BASE_URL }), ...(OPENAI_MODEL && { OPENAI_MODEL }) }
    return { name: OPENAI_MODEL ?? 'the model that is set up', env: set, asked: () => 0, stop: async () => {} }
  }
  // Also where only the deterministic planner runs: that it is not asked is part of the proof.
  const double = await startModelDouble(answerAsModel)
  if (needed) print('No OPENAI_API_KEY is set: a scripted double on this machine answers in place of a language model.')
  return {
    name: 'scripted double',
    env: { OPENAI_API_KEY: 'none', OPENAI_BASE_URL: double.baseURL, OPENAI_MODEL: 'scripted-double' },
    asked: () => double.asked.length,
    stop: async () => double[Symbol.asyncDispose](),
  }
}

export type PlanRemark = {
  readonly mode: string
  readonly prompts: readonly string[]
  readonly asks: number
  readonly refused: readonly string[]
}

/** What the room says of how the plan was made: of the last plan posted. */
export function planIn({ messages }: Pick<Followed, 'messages'>): PlanRemark | undefined {
  const plans = messages.flatMap((message) => message.parts.flatMap((part) => (part.data?.kind === 'plan' ? [part.data] : [])))
  const plan = plans.at(-1)
  const made = (plan?.made ?? {}) as Partial<PlanRemark>
  return plan && { mode: String(plan.mode), prompts: made.prompts ?? [], asks: made.asks ?? 0, refused: made.refused ?? [] }
}

/** Where the run was not what its mode promises. `asked`: requests that reached the model's double during the run. */
export function modeFaults(mode: PlannerMode, followed: Pick<Followed, 'messages'>, asked: number, model: Model): string[] {
  const plan = planIn(followed)
  const expected = mode === 'copilot' ? 'hybrid' : mode
  const kinds = followed.messages.flatMap((message) => message.parts.map((part) => part.data?.kind))
  const count = (kind: string) => kinds.filter((one) => one === kind).length
  return [
    ...(plan?.mode === expected ? [] : [`the plan was made in mode ${plan?.mode ?? 'none'}, not ${expected}`]),
    ...(mode === 'deterministic' && asked > 0 ? [`a model was asked ${asked} times`] : []),
    ...(mode !== 'deterministic' && model.name === 'scripted double' && asked === 0 ? ['no model was asked'] : []),
    ...(mode === 'model' && !plan?.prompts.includes('discover.v3') ? ['the model did not look for agents'] : []),
    ...(mode === 'copilot' && count('charter.refused') !== 1 ? ['no charter was refused'] : []),
    ...(mode === 'copilot' && count('charter.confirmed') < 3 ? ['the steps were not confirmed one by one'] : []),
    ...(mode !== 'copilot' && count('charter.submitted') > 0 ? ['the client was asked'] : []),
  ]
}
