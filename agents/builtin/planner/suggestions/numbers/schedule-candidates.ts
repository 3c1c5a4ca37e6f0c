/** Candidates for a cron expression in the goal. */

import type { Wish } from '../find-wishes.ts'
import type { GoalWords } from '../goal-words.ts'
import { plainWords, type ReadingCandidate } from '../reading-candidate.ts'

const field = String.raw`(?:[\d*][\d*/,-]*|(?:sun|mon|tue|wed|thu|fri|sat|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)(?:[,-][a-z]{3})*|\?)`
const cron = new RegExp(String.raw`(?<![\d*/,.-])${field}(?: +${field}){4}(?![\d*/,-])`, 'i')
const words = plainWords(
  'cron crontab schedule job run runs running only first last month mondays monday tuesday wednesday thursday friday saturday sunday weekday weekdays day days week time often does mean when every' +
    ' läuft wann montag montags dienstags tag zeitplan quand lundi jours tâche cuándo lunes días tarea 什么时候 运行 周一',
)

export function scheduleCandidates({ request, material }: GoalWords, wishes: ReadonlyMap<Wish, string>): ReadingCandidate[] {
  const found = cron.exec(request) ?? (material === undefined ? null : cron.exec(material))
  const isCron = found && (/[*]/.test(found[0]) || /cron/i.test(request))
  if (!isCron) return []
  const explained = [...words, ...plainWords(found[0]), ...plainWords(wishes.get('explain') ?? '')]
  return [{ texts: [`Explain the cron schedule ${found[0]}`], skillId: 'format.cron', explained }]
}
