import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { modelPlanner } from '../../../../agents/house/principal/model.ts'
import { offersOf } from '../../../../agents/house/principal/offers.ts'
import { noModelPlanner, type PlanningInput } from '../../../../agents/house/principal/planner.ts'
import { guideText, houseMarket } from '../market.ts'

const offers = offersOf(houseMarket())
const numberOf = (skill: string) => offers.findIndex((offer) => offer.skill.id === skill)
const input: PlanningInput = {
  goal: { text: guideText, criteria: [], attachments: [], answers: [] },
  offers,
  payable: 5_000_000n,
  decimals: 6,
}
const values = [{ type: 'query.figures', json: '{"company":"Microsoft","from":2014,"to":2020}' }]
const good = {
  question: null,
  summary: 'Revenue as a text chart.',
  values,
  wanted: ['chart.text'],
  steps: [
    { offer: numberOf('figures.lookup'), inputs: [{ port: 'query', from_step: null, value: 1 }] },
    { offer: numberOf('chart.draw_text'), inputs: [{ port: 'series', from_step: 1, value: null }] },
  ],
}

describe('modelPlanner', () => {
  let server: Server | undefined
  afterEach(() => server?.close())

  /** Something that speaks the same HTTP as a model's provider; what it is asked ends up in `asked`. */
  async function plannerAnswering(answer: unknown, status = 200) {
    const asked: Record<string, unknown>[] = []
    server = createServer((request, response) => {
      let body = ''
      request.on('data', (chunk) => {
        body += chunk
      })
      request.on('end', () => {
        asked.push(JSON.parse(body))
        const content = typeof answer === 'string' ? answer : JSON.stringify(answer)
        const message = { role: 'assistant', content, refusal: null }
        response.writeHead(status, { 'content-type': 'application/json' })
        response.end(
          JSON.stringify({
            id: 'x',
            object: 'chat.completion',
            created: 0,
            model: 'm',
            choices: [{ index: 0, finish_reason: 'stop', message }],
          }),
        )
      })
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => server?.once('listening', resolve))
    const baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
    return { planner: modelPlanner({ apiKey: 'none', baseURL, model: 'm', timeoutMs: 5_000 }), asked }
  }

  it('asks with a strict schema, and lays out what the model chose', async () => {
    const { planner, asked } = await plannerAnswering(good)
    const planned = await planner(input)
    expect(planned).toMatchObject({ mode: 'model', summary: good.summary, plan: { price: 800_000n } })
    expect('plan' in planned && planned.plan.steps.map((step) => step.offer.skill.id)).toEqual(['figures.lookup', 'chart.draw_text'])
    expect(asked[0]).toMatchObject({ model: 'm', response_format: { type: 'json_schema', json_schema: { strict: true } } })
  })

  it('passes the model’s question on', async () => {
    const { planner } = await plannerAnswering({ ...good, question: 'Which company?' })
    expect(await planner(input)).toEqual({ question: 'Which company?' })
  })

  it.each([
    ['an edge of the wrong type', { ...good, steps: [good.steps[1], good.steps[0]] }],
    ['an offer that is not there', { ...good, steps: [{ offer: 999, inputs: [] }] }],
    [
      'a port that is not there',
      { ...good, steps: [{ offer: numberOf('figures.lookup'), inputs: [{ port: 'nope', from_step: null, value: 1 }] }] },
    ],
    ['a want that nothing makes', { ...good, wanted: ['report.markdown'] }],
    ['a value that is no object', { ...good, values: [{ type: 'query.figures', json: '[1' }] }],
    ['no steps', { ...good, steps: [] }],
    ['no JSON', 'I would hire somebody.'],
  ])('plans by rule where the answer has %s, and says so', async (_, answer) => {
    const { planner } = await plannerAnswering(answer)
    expect(await planner(input)).toMatchObject({
      mode: 'deterministic',
      summary: expect.stringMatching(/no usable plan \(.+\), so I plan by rule/),
    })
  })

  it('plans by rule where the model goes over the budget or can not be reached', async () => {
    const { planner } = await plannerAnswering(good)
    expect(await planner({ ...input, payable: 700_000n })).toMatchObject({ reason: expect.stringContaining('may be spent') })
    server?.close()
    const { planner: broken } = await plannerAnswering({}, 400)
    expect(await broken(input)).toMatchObject({ mode: 'deterministic' })
    expect(await noModelPlanner(input)).toMatchObject({ mode: 'deterministic', summary: expect.stringContaining('none is set up') })
  })
})
