/** The criteria of a goal with who checks each, and what rules and reviewers found. */
import type { Run } from '@/server/trpc/views/read-goal-page.ts'
import type { Verdict } from '../goals/[id]/_run/result/read-reviewer-verdict.ts'

export type CriterionWithVerdict = {
  readonly text: string
  readonly by: 'rule' | 'agent' | 'client'
  readonly agentId: string | null
  /** Null: nothing could check it, so the client does. Undefined before the delivery. */
  readonly pass: boolean | null | undefined
  readonly evidence: string
}

type JudgedRun = { readonly goal: Pick<Run['goal'], 'checks' | 'conclusionSeq' | 'outcome'>; readonly checkers: Run['checkers'] }

/** A rule's finding precedes the reviewer's. What the reviewer adds of its own follows. */
export function criteriaWithVerdicts({ goal, checkers }: JudgedRun, verdict: Verdict | null): CriterionWithVerdict[] {
  const checks = goal.checks?.seq === goal.conclusionSeq ? (goal.checks?.criteria ?? []) : []
  const reviewer = checkers.find(({ by }) => by === 'agent')?.agentId ?? null
  const ownOf = (text: string) => verdict?.criteria.find((one) => one.text === text)
  const judged = checkers.map((checker): CriterionWithVerdict => {
    const check = checks.find((one) => one.text === checker.text)
    if (check && check.status !== 'unchecked')
      return { ...checker, by: 'rule', agentId: null, pass: check.status === 'met', evidence: check.evidence }
    const word = ownOf(checker.text)
    if (word && word.pass !== null)
      return { ...checker, by: 'agent', agentId: reviewer ?? checker.agentId, pass: word.pass, evidence: word.evidence }
    const isOver = goal.outcome !== null
    return {
      ...checker,
      by: isOver ? 'client' : checker.by,
      pass: isOver ? null : undefined,
      evidence: check?.evidence ?? word?.evidence ?? '',
    }
  })
  const rest = checks.filter(({ text }) => !checkers.some((one) => one.text === text))
  const added = (verdict?.criteria ?? []).filter(({ text }) => !checkers.some((one) => one.text === text))
  return [
    ...rest.map(
      ({ text, status, evidence }): CriterionWithVerdict => ({ text, by: 'rule', agentId: null, pass: status === 'met', evidence }),
    ),
    ...judged,
    ...added.map(({ text, pass, evidence }): CriterionWithVerdict => ({ text, by: 'agent', agentId: reviewer, pass, evidence })),
  ]
}
