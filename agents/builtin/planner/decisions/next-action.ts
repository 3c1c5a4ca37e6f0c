/**
 * What the principal does next, from the room, what it has looked up, and the time. Pure: the same room always gives the
 * same next step, so a principal that was killed goes on where it stood.
 */
import type { Charter, CharterStep } from '@parley/protocol'
import { listed } from '../../artifacts/table-series.ts'
import { charterOf } from '../charter/build-charter.ts'
import type { Plan } from '../plan/plan.ts'
import { ownSteps, renumbered } from '../room/charter-events.ts'
import { type Floor, isDone } from '../room/reduce.ts'
import type { Planned } from '../strategies/strategy.ts'
import { answerParts } from './answer-bundle.ts'
import { asksClient, withClient } from './client-approval.ts'
import { act, fail, isFresh, money, payableToOthers, retryMs, type Scene, sayOnce, seekElsewhere, wait } from './decision-context.ts'
import type { Action, Decision } from './knowledge.ts'
import { decideTeam } from './staffing.ts'
import { decideWork } from './work-steps.ts'

type MadePlan = Extract<Planned, { plan: Plan }>

/** So long before the deadline the principal gives up, so that its word still comes in time. */
const marginMs = 15_000
const maxQuestions = 5
/** So often a charter that the rail has refused is made anew. */
const maxWithdrawals = 2

export function decide(scene: Scene): Decision {
  const { floor, known, offer, now } = scene
  if (floor.closed || floor.concluded !== null) return wait()
  if (known.hopeless !== undefined) return fail(floor, `I can't bring this goal to its end: ${known.hopeless}`)
  if (floor.withdrawals >= maxWithdrawals)
    return fail(floor, `My charters are not recorded: ${floor.withdrawn?.reason ?? ''} ${standing(floor)}`.trim())
  const { charter } = floor
  if (charter && ownSteps(charter).every((step) => isDone(floor, step.step))) return deliver(scene, charter)
  const giveUpAt = Date.parse(offer.deadline) - marginMs
  if (now >= giveUpAt) return fail(floor, `The deadline has come before the work was done. ${standing(floor)}`.trim())
  const wish = !charter ? decidePlan(scene) : floor.recorded === charter.version ? decideWork(scene, charter) : decideTeam(scene, charter)
  const alone = renumbered(floor, wish)
  const next = asksClient(scene) ? withClient(scene, alone) : alone
  // What the room has heard already is not said again, whatever follows it.
  const actions = next.actions.filter((action) => action.do !== 'say' || !floor.notes.has(action.key))
  return actions.length > 0 ? { ...next, actions } : { actions, until: Math.min(next.until ?? giveUpAt, giveUpAt) }
}

function deliver({ floor, known }: Scene, charter: Charter): Decision {
  const parts = answerParts(floor, charter, known.files)
  return act({ do: 'conclude', key: `conclude:${floor.conclusions + 1}:delivered`, outcome: 'delivered', parts })
}

function standing(floor: Floor): string {
  const last = floor.trouble.at(-1)
  return last ? `The last trouble: ${last.reason}` : ''
}

function decidePlan(scene: Scene): Decision {
  const { floor, known, offer, self, now } = scene
  if (floor.waitingForClient) return wait()
  if (payableToOthers(scene) < 0n)
    return fail(
      floor,
      `The budget leaves ${money(scene, BigInt(offer.payable))} for the work, and my own price is ${money(scene, self.price)}.`,
    )
  const key = `answers:${floor.answers.length}:${floor.refusals.length}`
  if (known.planned?.key !== key)
    return isFresh(scene)
      ? act({ do: 'plan', key: `plan:${key}:${known.market?.at}`, question: key })
      : act({ do: 'look', key: `look:${now}` })
  const { result, at } = known.planned
  if ('plan' in result) return propose(scene, result)
  const elsewhere = seekElsewhere(scene, result.need)
  if (elsewhere) return elsewhere
  if ('question' in result) return ask(scene, result.question)
  const answer = sayOnce(floor, `short:${result.reason}`, `${result.reason} I keep looking until the deadline.`, wait(at + retryMs))
  return answer.actions.length > 0 || now < at + retryMs ? answer : lookAgain(scene, key)
}

/** The market first, then the plan over what it has now. */
function lookAgain(scene: Scene, key: string): Decision {
  const { known, now } = scene
  return isFresh(scene) && (known.market?.at ?? 0) > (known.planned?.at ?? 0)
    ? act({ do: 'plan', key: `plan:${key}:${known.market?.at}`, question: key })
    : act({ do: 'look', key: `look:${now}` })
}

function ask({ floor }: Scene, question: string): Decision {
  if (floor.asked >= maxQuestions) return fail(floor, `After ${floor.asked} questions I still can't tell what to make. ${question}`)
  return act({ do: 'say', key: `ask:${floor.asked + 1}`, text: question, asks: true })
}

function propose(scene: Scene, planned: MadePlan): Decision {
  const { floor, offer, self } = scene
  const charter = charterOf(planned.plan, offer, self, (floor.charter?.version ?? 0) + 1)
  const key = `plan:${charter.version}${floor.refusals.length > 0 ? `:${floor.refusals.length}` : ''}`
  const invite: Action = { do: 'propose', key: `propose:${charter.version}`, charter }
  return floor.notes.has(key)
    ? act(invite)
    : act({ do: 'say', key, text: planText(scene, planned.plan, charter, planned.summary), data: planData(planned, charter) }, invite)
}

function planText(scene: Scene, plan: Plan, charter: Charter, summary: string): string {
  const lines = charter.steps.map((step) => {
    const after = step.depends_on.length === 0 ? '' : `, after ${listed(step.depends_on.map(String))}`
    const who = plan.steps.find((one) => one.step === step.step)?.offer.handle ?? 'me'
    const from = plan.steps.find((one) => one.step === step.step)?.offer.through
    const through = from === undefined ? '' : ` (a resource elsewhere, tested by ${from})`
    return `${step.step}. ${step.title}: ${who}${through}, ${money(scene, BigInt(step.amount))}, ${step.mode}${after}`
  })
  const total = charter.steps.reduce((sum, step) => sum + BigInt(step.amount), 0n)
  const avoided = (scene.known.market?.listings ?? []).filter((one) => scene.avoided?.has(one.did)).map((one) => one.handle)
  const without = avoided.length > 0 ? ` I leave out ${listed(avoided)}: you refused that agent in an earlier goal.` : ''
  return `${summary}${without}\n\n${lines.join('\n')}\n\nTogether ${money(scene, total)} of ${money(scene, BigInt(scene.offer.payable))} that may be spent.`
}

function planData({ plan, mode, made }: MadePlan, charter: Charter): NonNullable<Extract<Action, { do: 'say' }>['data']> {
  const steps = charter.steps.map(({ step, title, skill_id, agent_id, amount, mode: how, depends_on, outputs }: CharterStep) => ({
    step,
    title,
    skill_id,
    agent_id,
    amount,
    mode: how,
    depends_on,
    outputs,
  }))
  const total = charter.steps.reduce((sum, step) => sum + BigInt(step.amount), 0n).toString()
  return {
    kind: 'plan',
    version: charter.version,
    steps,
    estimate: total,
    mode,
    ...(made && {
      made: { prompts: [...made.prompts], asks: made.asks, refused: made.refused.map((one) => one.slice(0, 400)).slice(-10) },
    }),
    critical_path: [...plan.critical_path, charter.steps.length],
  }
}
