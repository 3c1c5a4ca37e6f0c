/** Whether a language model may read a goal. */
import type { GoalOffer } from '@parley/protocol'
import { isModelSkill } from '../../model/is-model-skill.ts'
import type { SkillOffer } from './skill-offers.ts'

/**
 * A client admits a model to a private goal by the mode: the form says so beside it. In the other modes, neither the planner's model nor
 * an agent with a model reads a private goal.
 */
export const mayModelReadGoal = ({ visibility, planner }: Pick<GoalOffer, 'visibility' | 'planner'>): boolean =>
  visibility === 'public' || planner === 'model' || planner === 'hybrid'

/** The offers that may read the goal. */
export const listAdmittedOffers = <T extends Pick<SkillOffer, 'skill'>>(offers: readonly T[], isModelAdmitted: boolean): T[] =>
  offers.filter(({ skill }) => isModelAdmitted || !isModelSkill(skill))
