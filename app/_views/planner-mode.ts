import { type PlannerMode, plannerModes } from '@parley/protocol'

/** Each way to plan a goal: its name in a list, what it means in a sentence, and how a goal's page says it. */
export const plannerModeWords: {
  readonly [mode in PlannerMode]: { readonly name: string; readonly means: string; readonly said: string }
} = {
  deterministic: {
    name: 'By rule',
    means: 'Skills are matched by their types, backwards from what you want. No model is asked.',
    said: 'Planned by rule',
  },
  model: {
    name: 'By a model',
    means: 'A language model looks for agents, forms the team and plans, within your budget.',
    said: 'Planned by a model',
  },
  hybrid: {
    name: 'By a model, checked by rule',
    means: 'A language model plans; what does not fit by types, budget, deadline or policy is sent back to it.',
    said: 'Planned by a model, checked by rule',
  },
  copilot: {
    name: 'With me',
    means: 'Nobody is hired and no step begins before you have confirmed it. While you say nothing, nothing happens.',
    said: 'Planned with the client',
  },
}

export const readPlannerMode = (text: string): PlannerMode => plannerModes.find((mode) => mode === text) ?? 'deterministic'
