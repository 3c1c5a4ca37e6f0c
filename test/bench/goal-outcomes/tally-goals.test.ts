import { describe, expect, it } from 'vitest'
import { goalCorpus } from '../../../bench/goal-outcomes/corpus/index.ts'
import { declined, delivered, kinds, languages } from '../../../bench/goal-outcomes/goal-case.ts'
import { type GoalResult, tallyGoals } from '../../../bench/goal-outcomes/tally-goals.ts'

const result = (goal: GoalResult['goal'], outcome: GoalResult['outcome'], quoteMs: number): GoalResult => ({
  goal,
  outcome,
  quoteMs,
  workMs: outcome === 'correct' && goal.expected === 'delivered' ? 1_000 : null,
  detail: '',
})

describe('tallyGoals', () => {
  it('counts covered goals apart from all, and takes the nearest rank of the times', () => {
    const covered = delivered('What is 2 + 2?', /4/)
    const figures = tallyGoals([
      result(covered, 'correct', 10),
      result(covered, 'wrong', 20),
      result(declined('Hilf mir', 'vague', { language: 'de' }), 'correct', 30),
      result(covered, 'dead_end', 40),
    ])
    expect(figures).toMatchObject({
      goals: 4,
      covered: 3,
      correct: 2,
      wrong: 1,
      dead_end: 1,
      quote_p50_ms: 20,
      quote_p95_ms: 40,
      work_p50_ms: 1_000,
    })
    expect(figures.correct_share).toBe(0.333)
    expect(figures.by_language.de.correct).toBe(1)
    expect(figures.by_kind.vague.correct).toBe(1)
  })
})

describe('the corpus', () => {
  it('has enough goals of every kind and language, each once', () => {
    expect(goalCorpus.length).toBeGreaterThanOrEqual(150)
    expect(goalCorpus.filter((goal) => goal.expected === 'delivered').length).toBeGreaterThanOrEqual(90)
    for (const kind of kinds) expect(goalCorpus.filter((goal) => goal.kind === kind).length, kind).toBeGreaterThanOrEqual(9)
    for (const language of languages)
      expect(goalCorpus.filter((goal) => goal.language === language).length, language).toBeGreaterThanOrEqual(12)
    expect(new Set(goalCorpus.map((goal) => `${goal.text} ${goal.files.map((file) => file.name)}`)).size).toBe(goalCorpus.length)
    for (const goal of goalCorpus) expect(goal.answers.length > 0, goal.text).toBe(goal.expected === 'delivered')
  })
})
