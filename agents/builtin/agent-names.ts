/** The names and handles of the built-in agents. */
import { type SpecialistName, specialistNames } from './specialists/specialist-names.ts'

export const builtinNames = [
  'principal',
  'data',
  'analyst',
  'plotter',
  'writer',
  'reviewer',
  'web',
  'calculator',
  'tables',
  'text',
  'formats',
] as const
export type BuiltinName = (typeof builtinNames)[number]

/** Built-in agents with those that work only if a model is configured. */
export type AgentName = BuiltinName | SpecialistName
export const isSpecialist = (name: AgentName): name is SpecialistName => specialistNames.some((one) => one === name)
/** The agents that run: without a model, no agent that needs one. */
export const listAgentNames = (hasModel: boolean): readonly AgentName[] => [...builtinNames, ...(hasModel ? specialistNames : [])]

export const builtinHandle = (name: AgentName): string => `house-${name}`
