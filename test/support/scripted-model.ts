/**
 * A fake language model that plans goals about figures. It reads the question like a model. Its first plan has one fault, so that the
 * planner has a plan to refuse. It knows nothing but what it is asked.
 */
import type { Asked, ModelAnswer } from './model-double.ts'

type Port = { readonly name: string; readonly type: string; readonly optional: boolean }
type Offer = {
  readonly offer: number
  readonly agent: string
  readonly skill: string
  readonly inputs: readonly Port[]
  readonly outputs: readonly string[]
  readonly price: string
}
type Question = {
  readonly goal: string
  readonly criteria: readonly string[]
  readonly refused_before: readonly string[]
  readonly attachments: readonly { value: number; type: string }[]
  readonly offers: readonly Offer[]
}

const chain = ['figures.lookup', 'trend.analyse', 'chart.draw_text', 'report.write', 'work.review']
const svg = 'chart.draw_svg'
const queries = ['annual figures', 'trend analysis', 'chart in text', 'written report', 'review criteria']

export function answerAsModel(asked: Asked): ModelAnswer {
  if (asked.tools) return formTeam(asked)
  const shape = asked.response_format?.json_schema.name
  if (shape === 'critique') {
    const faulty = asked.messages.at(-1)?.content?.includes('"after":[2],"makes":["chart.text"]')
    return { content: { faults: faulty ? ['The chart waits for the analysis, which it does not need: it is drawn from the table.'] : [] } }
  }
  const question = JSON.parse(asked.messages[1]?.content ?? '{}') as Question
  return { content: planOf(question, asked.messages.length > 2) }
}

function formTeam(asked: Asked): ModelAnswer {
  const found = asked.messages.filter((message) => message.role === 'tool').flatMap((message) => JSON.parse(message.content ?? '[]'))
  if (found.length === 0) return { calls: [{ name: 'agent_discovery', args: { queries } }] }
  const offers = (found as { agents: Offer[] }[]).flatMap((one) => one.agents)
  const agents = chain.flatMap((skill) => cheapest(offers, skill)?.agent ?? [])
  return { calls: [{ name: 'team_up', args: { agents: [...new Set(agents)] } }] }
}

const cheapest = (offers: readonly Offer[], skill: string): Offer | undefined =>
  offers.filter((offer) => offer.skill === skill).toSorted((a, b) => Number(a.price) - Number(b.price))[0]

function planOf({ goal, criteria, attachments, offers, refused_before }: Question, isRevised: boolean): unknown {
  const [from, to] = [...goal.matchAll(/\b(?:19|20)\d\d\b/g)].map(([year]) => Number(year))
  const company = /\brevenue of ([A-Z]\w+)/.exec(goal)?.[1] ?? ''
  const values = [
    { type: 'query.figures', json: JSON.stringify({ company, metric: 'revenue', from, to }) },
    { type: 'goal.criteria', json: JSON.stringify({ text: goal, criteria: criteria.map((text) => ({ text })) }) },
  ]
  const wanted = refused_before.some((words) => /svg/i.test(words)) ? chain.toSpliced(3, 0, svg) : chain
  const chosen = wanted.flatMap((skill) => cheapest(offers, skill) ?? [])
  const makerOf = (type: string, before: number) => 1 + chosen.slice(0, before).findIndex((offer) => offer.outputs.includes(type))
  const steps = chosen.map((offer, index) => ({
    offer: offer.offer,
    inputs: offer.inputs.flatMap((port) => {
      const value = attachments.find((one) => one.type === port.type)?.value ?? numberOf(port.type)
      const from_step = makerOf(port.type, index)
      if (value === 0 && from_step === 0) return []
      // The one mistake: the chart is to be drawn from the analysis.
      const source = !isRevised && offer.skill === 'chart.draw_text' ? 2 : from_step
      return [{ port: port.name, from_step: value > 0 ? null : source, value: value > 0 ? value : null }]
    }),
  }))
  return {
    question: null,
    summary: `The annual revenue of ${company}, ${from} to ${to}: a chart in text and a report.`,
    values,
    wanted: [...(wanted.includes(svg) ? ['chart.svg'] : []), 'chart.text', 'report.markdown'],
    steps,
  }

  function numberOf(type: string): number {
    const index = values.findIndex((one) => one.type === type)
    return index < 0 ? 0 : attachments.length + index + 1
  }
}
