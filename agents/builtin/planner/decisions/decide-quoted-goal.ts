/** Quoted goals: the client funded the charter with the goal. The planner proposes exactly this charter, and the escrow takes no other. */
import type { Charter } from '@parley/protocol'
import { formatList } from '../../format-numbers-and-lists.ts'
import { totalAmount } from '../charter/build-charter.ts'
import { longestStepChain } from '../plan/plan.ts'
import { type DecisionContext, formatMoney, shownHandle } from './decision-context.ts'
import { concludeFailed, type PlannerDecision, takeActions } from './planner-decision.ts'

/** The rule that a client reads when a quoted goal ends early, and what it can do then. */
const whatFollows =
  'You funded this team with the goal, so I can’t hire another agent. What is not paid goes back to you. ' +
  'Post the goal again to get a quote with the agents online now, or post it as an open bounty.'

/** Posts the quoted steps, and invites the agents that the client chose. */
export function decideQuotedGoal(context: DecisionContext, charter: Charter): PlannerDecision {
  const { room, knowledge, now } = context
  if (knowledge.market === undefined) return takeActions({ do: 'look', key: `look:${now}` })
  const key = 'plan:quoted'
  const invite = { do: 'propose', key: 'propose:quoted', charter } as const
  if (room.notes.has(key)) return takeActions(invite)
  return takeActions({ do: 'say', key, text: describeCharter(context, charter), data: dataOf(charter) }, invite)
}

/** Ends a quoted goal whose team lacks an agent. */
export const endQuotedGoal = ({ room }: DecisionContext, why: string): PlannerDecision => concludeFailed(room, `${why} ${whatFollows}`)

function describeCharter(context: DecisionContext, charter: Charter): string {
  const lines = charter.steps.map(({ step, title, sender_id, amount, mode, depends_on }) => {
    const who = sender_id === charter.principal_id ? 'me' : shownHandle(context, sender_id)
    const after = depends_on.length === 0 ? '' : `, after ${formatList(depends_on.map(String))}`
    return `${step}. ${title}: ${who}, ${formatMoney(context, BigInt(amount))}, ${mode}${after}`
  })
  const total = formatMoney(context, totalAmount(charter.steps))
  return `This is the plan of the quote. You funded it with the goal, so I ask these agents and no others.\n\n${lines.join('\n')}\n\nTogether ${total}.`
}

function dataOf(charter: Charter) {
  const steps = charter.steps.map(({ step, title, skill_id, agent_id, amount, mode, depends_on, outputs }) => ({
    ...{ step, title, skill_id, agent_id, amount, mode, depends_on, outputs },
  }))
  const estimate = totalAmount(charter.steps).toString()
  const critical_path = longestStepChain(charter.steps)
  return { kind: 'plan', version: charter.version, steps, estimate, mode: 'deterministic', critical_path }
}
