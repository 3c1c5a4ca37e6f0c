/**
 * Writes the transcripts beside it: `node test/agents/builtin/transcripts/record.ts`, after a prompt got its next version. The talk
 * is with the scripted model.
 */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { toSkillOffers } from '../../../../agents/builtin/planner/plan/skill-offers.ts'
import { createHybridStrategy } from '../../../../agents/builtin/planner/strategies/hybrid-strategy.ts'
import { createModelStrategy } from '../../../../agents/builtin/planner/strategies/model-strategy.ts'
import { type Asked, type Exchange, startModelDouble } from '../../../support/model-double.ts'
import { answerAsModel } from '../../../support/scripted-model.ts'
import { guideText, reportMarket } from '../market.ts'
import { exchangeOf } from './exchange.ts'

const input = {
  goal: { text: guideText, criteria: ['Covers every year from 2014 to 2020'], attachments: [], answers: [] },
  offers: toSkillOffers(reportMarket()),
  payable: 5_000_000n,
  decimals: 6,
  msLeft: 3_600_000,
  refusals: [],
}

function wordsIn(asked: Asked): string[] {
  const last = asked.messages.at(-1)?.content ?? ''
  const refused = last.indexOf('{"refused"')
  if (refused >= 0) return [last.slice(refused)]
  if (last.includes('"queries"')) return []
  return [last.includes('"query"') ? '"skill":"chart.draw_text"' : '"budget":"5.00"']
}

for (const [name, make] of [['model', createModelStrategy] as const, ['hybrid', createHybridStrategy] as const]) {
  const talk: Exchange[] = []
  const double = await startModelDouble((asked) => {
    const answers = answerAsModel(asked)
    talk.push(exchangeOf(asked, answers, wordsIn(asked)))
    return answers
  })
  await make({ apiKey: 'none', baseURL: double.baseURL, model: 'local-double' })(input)
  await double[Symbol.asyncDispose]()
  writeFileSync(path.join(import.meta.dirname, `${name}.json`), `${JSON.stringify(talk, null, 2)}\n`)
}
