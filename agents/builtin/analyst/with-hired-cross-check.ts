/** The analyst with a cross-check: it hires two other agents and pays them out of its step. */
import { ProblemError, type SkillHandler, type SubTask, type SubTaskResult } from '@parley/agents'
import type { TaskInput } from '@parley/protocol'
import { parseAnalysis } from '../artifacts/trend-analysis-types.ts'

const askedFor = /\b(second pair of eyes|have (?:it|the figures|the analysis) checked|checked by others|cross-?check(?:ed)?)\b/i

/** Whether the task asks for a cross-check. */
export function wantsCrossCheck(task_desc: string): boolean {
  return askedFor.test(task_desc)
}

/** The sub-tasks of the cross-check: a check of the table, and a recomputation of the main figures. */
export function checkSubTasks(series: TaskInput, analysis: string): SubTask[] {
  const columns = parseAnalysis(analysis).columns.map(({ column, first, last, sum, highest }) => ({
    column,
    first: first.value,
    last: last.value,
    sum,
    highest: highest.value,
  }))
  return [
    { skill_id: 'figures.check', title: 'Look through the table', inputs: [series] },
    {
      skill_id: 'trend.check',
      title: 'Recalculate the figures',
      inputs: [series, { port: 'claims', type: 'claims.trend', data: { columns } }],
    },
  ]
}

export function withHiredCrossCheck(alone: SkillHandler): SkillHandler {
  return async (given) => {
    const done = await alone(given)
    const series = given.task?.inputs.find((input) => input.type === 'table.series')
    if (!given.task || !series || typeof done === 'string' || !wantsCrossCheck(given.task.task_desc)) return done
    const analysis = done.artifacts.find((file) => file.artifact_type === 'analysis.trend')
    if (typeof analysis?.content !== 'string') return done
    const checks = await given.team(checkSubTasks(series, analysis.content)).catch((error: unknown) => {
      // Without a team, the analysis is delivered without the cross-check, and reports it.
      if (error instanceof ProblemError && error.code === 'session.team_failed') return error.message
      throw error
    })
    return { ...done, text: `${done.text ?? ''} ${sentenceOf(checks)}`.trim() }
  }
}

function sentenceOf(checks: readonly SubTaskResult[] | string): string {
  return typeof checks === 'string'
    ? `No other agent has checked it: ${checks}`
    : `Checked by others: ${checks.map((one) => one.text).join(' ')}`
}
