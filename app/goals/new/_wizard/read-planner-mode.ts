import { type PlannerMode, plannerModes } from '@parley/protocol'

export const readPlannerMode = (text: string): PlannerMode => plannerModes.find((mode) => mode === text) ?? 'deterministic'
