/// <reference lib="esnext.temporal" />
import { answerDates, datesTool } from '../../../../../agents/builtin/tools/numbers/dates-tool.ts'
import { toolGoal } from './ask-tool.ts'

/** A Friday. */
export const askedOn = Temporal.PlainDate.from('2026-11-27')

/** The answer on a fixed day to what the tool for dates reads from the goal. */
export function askDates(text: string): string {
  const reading = datesTool.readGoal(toolGoal(text))
  if (!reading || reading.confidence < 0.6) return 'not taken'
  if ('question' in reading) return `asks: ${reading.question}`
  return answerDates(String(reading.query.question), askedOn).join(' ')
}
