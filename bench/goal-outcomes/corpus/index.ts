/** Owns the goals of `bench:goals`. They were labelled before the first run. */
import type { GoalCase } from '../goal-case.ts'
import { coveredGoals } from './covered-goals.ts'
import { everydayCorpus } from './everyday-corpus.ts'
import { goalsNeedingSuggestions } from './goals-needing-suggestions.ts'
import { newcomerGoals } from './newcomer-goals.ts'
import { foreignGoals } from './non-english-goals.ts'
import { uncoveredGoals } from './uncovered-goals.ts'

export const goalCorpus: readonly GoalCase[] = [
  ...coveredGoals,
  ...everydayCorpus,
  ...uncoveredGoals,
  ...foreignGoals,
  ...goalsNeedingSuggestions,
  ...newcomerGoals,
]
