/** A plan: which agent does which step from which inputs. All strategies build plans here. */
import type { Json, SkillPort } from '@parley/protocol'
import { outputTypes, searchBackward } from './search-backward.ts'
import { priceOf, type SkillOffer } from './skill-offers.ts'

/**
 * An input that needs no planned step: an attachment, a value from the goal's text, or an output of a step in force. `made`: the number of
 * that step.
 */
export type AvailableInput = {
  readonly type: string
  readonly attachment?: string
  readonly made?: number
  readonly data?: { readonly [key: string]: Json }
}

/** `needed: false`: left out if no agent makes it, or the budget is too small. */
export type WantedOutput = { readonly type: string; readonly needed: boolean }

export type PlanningProblem = {
  readonly wants: readonly WantedOutput[]
  readonly givens: readonly AvailableInput[]
  readonly offers: readonly SkillOffer[]
  /** Upper bound for the steps of other agents, base units. */
  readonly payable: bigint
}

export type PlannedInput = { readonly port: string; readonly type: string; readonly step?: number; readonly given?: AvailableInput }

export type PlannedStep = {
  readonly step: number
  readonly offer: SkillOffer
  readonly mode: 'sync' | 'async'
  readonly depends_on: readonly number[]
  readonly inputs: readonly PlannedInput[]
  readonly outputs: readonly string[]
}

export type Plan = {
  readonly steps: readonly PlannedStep[]
  readonly price: bigint
  /** Step numbers of the longest dependency chain. */
  readonly critical_path: readonly number[]
  /** Wanted types that the plan leaves out. */
  readonly left_out: readonly string[]
}

/** The best plan. Optional outputs are left out one by one, the last first, until a plan fits. */
export function searchPlan(task: PlanningProblem): Plan | undefined {
  const needed = task.wants.filter((want) => want.needed).map((want) => want.type)
  const extra = task.wants.filter((want) => !want.needed).map((want) => want.type)
  const given = new Set(task.givens.map((one) => one.type))
  for (let kept = extra.length; kept >= 0; kept--) {
    const wanted = [...needed, ...extra.slice(0, kept)]
    const choice = searchBackward({ wanted, given, offers: task.offers, payable: task.payable })
    if (choice) return layOut(choice.offers, choice.makers, task, extra.slice(kept))
  }
  return undefined
}

type Node = { readonly offer: SkillOffer; readonly from: Map<string, SkillOffer | AvailableInput> }

function layOut(
  hired: readonly SkillOffer[],
  makers: ReadonlyMap<string, SkillOffer>,
  task: PlanningProblem,
  left_out: readonly string[],
): Plan {
  const given = Map.groupBy(task.givens, (one) => one.type)
  const nodes: Node[] = hired.map((offer) => ({ offer, from: new Map() }))
  const nodeOf = new Map(nodes.map((node) => [node.offer, node]))
  const feeds = (maker: SkillOffer, user: SkillOffer): boolean => {
    if (maker === user) return true
    const parents = [...(nodeOf.get(user)?.from.values() ?? [])].filter((one): one is SkillOffer => 'skill' in one)
    return parents.some((parent) => feeds(maker, parent))
  }
  for (const optional of [false, true])
    for (const node of nodes)
      for (const port of node.offer.skill.inputs.filter((one) => one.optional === optional)) {
        const source = givenFor(port, node.offer, given) ?? makers.get(port.type)
        // An optional input is used if it costs nothing and creates no cycle.
        if (source && !('skill' in source && feeds(node.offer, source))) node.from.set(port.name, source)
      }
  return number(nodes, left_out)
}

/** Ports of the same type take the given inputs of that type in order. A further optional port stays empty. */
function givenFor(
  port: SkillPort,
  { skill }: SkillOffer,
  given: ReadonlyMap<string, readonly AvailableInput[]>,
): AvailableInput | undefined {
  const all = given.get(port.type) ?? []
  const place = skill.inputs.filter((one) => one.type === port.type).indexOf(port)
  return all[place] ?? (port.optional ? undefined : all[0])
}

function number(nodes: readonly Node[], left_out: readonly string[]): Plan {
  const place = new Map<SkillOffer, number>()
  const parentsOf = (node: Node) => [...new Set([...node.from.values()].filter((one): one is SkillOffer => 'skill' in one))]
  const waiting = [...nodes].sort((a, b) => (a.offer.skill.id < b.offer.skill.id ? -1 : 1))
  while (waiting.length > 0) {
    const index = waiting.findIndex((node) => parentsOf(node).every((parent) => place.has(parent)))
    const [node] = waiting.splice(index, 1)
    if (index < 0 || !node) throw new Error('the search returned a plan that depends on itself')
    place.set(node.offer, place.size + 1)
  }
  const ordered = [...nodes].sort((a, b) => (place.get(a.offer) ?? 0) - (place.get(b.offer) ?? 0))
  const drafts = ordered.map((node) => {
    const inputs = node.offer.skill.inputs.flatMap((port): PlannedInput[] => {
      const source = node.from.get(port.name)
      if (!source) return []
      const base = { port: port.name, type: port.type }
      return [('skill' in source ? { ...base, step: place.get(source) ?? 0 } : { ...base, given: source }) satisfies PlannedInput]
    })
    return {
      step: place.get(node.offer) ?? 0,
      offer: node.offer,
      depends_on: parentsOf(node)
        .map((parent) => place.get(parent) ?? 0)
        .sort((a, b) => a - b),
      inputs,
      outputs: outputTypes(node.offer),
    }
  })
  const modes = executionModes(drafts)
  const steps = drafts.map((draft, index) => ({ ...draft, mode: modes[index] ?? ('sync' as const) }))
  return { steps, price: steps.reduce((sum, step) => sum + priceOf(step.offer), 0n), critical_path: longestStepChain(steps), left_out }
}

type Edge = { readonly step: number; readonly depends_on: readonly number[] }

/** `async` if another step can run at the same time. */
export function executionModes(steps: readonly Edge[]): ('sync' | 'async')[] {
  const before = new Map<number, Set<number>>()
  for (const { step, depends_on } of steps) before.set(step, new Set(depends_on.flatMap((one) => [one, ...(before.get(one) ?? [])])))
  return steps.map((a) =>
    steps.some((b) => b.step !== a.step && !before.get(a.step)?.has(b.step) && !before.get(b.step)?.has(a.step)) ? 'async' : 'sync',
  )
}

export function longestStepChain(steps: readonly Edge[]): number[] {
  const longest = new Map<number, number[]>()
  for (const { step, depends_on } of steps) {
    const before = depends_on.map((one) => longest.get(one) ?? []).reduce((best, path) => (path.length > best.length ? path : best), [])
    longest.set(step, [...before, step])
  }
  return [...longest.values()].reduce((best, path) => (path.length > best.length ? path : best), [])
}

/** Errors of a plan, as sentences. Every plan is checked before it is proposed. */
export function findPlanErrors(plan: Plan, task: PlanningProblem): string[] {
  const faults: string[] = []
  const steps = new Map(plan.steps.map((step) => [step.step, step]))
  const offers = new Set(task.offers.map((offer) => `${offer.agent_id} ${offer.skill.id} ${offer.skill.price}`))
  plan.steps.forEach((step, index) => {
    const name = `Step ${step.step}`
    if (step.step !== index + 1) faults.push(`${name} stands in place ${index + 1}.`)
    if (!offers.has(`${step.offer.agent_id} ${step.offer.skill.id} ${step.offer.skill.price}`))
      faults.push(`${name} hires a skill that is not on offer.`)
    for (const port of step.offer.skill.inputs) {
      const input = step.inputs.find((one) => one.port === port.name)
      if (!input && !port.optional) faults.push(`${name} lacks its input ${port.name}.`)
      if (!input) continue
      if (input.type !== port.type) faults.push(`${name} takes ${input.type} where its skill takes ${port.type}.`)
      const maker = input.step === undefined ? undefined : steps.get(input.step)
      if (input.step !== undefined && (!maker || maker.step >= step.step || !maker.outputs.includes(port.type)))
        faults.push(`${name} takes ${port.type} from step ${input.step}, which doesn't make it before.`)
      if (input.step !== undefined && !step.depends_on.includes(input.step))
        faults.push(`${name} does not depend on step ${input.step}, whose output it takes.`)
      if (input.step === undefined && input.given?.type !== port.type) faults.push(`${name} takes ${port.type} from nowhere.`)
      if (input.given && !task.givens.includes(input.given)) faults.push(`${name} takes ${port.type}, which is not at hand.`)
    }
  })
  const made = new Set([...plan.steps.flatMap((step) => step.outputs), ...task.givens.map((one) => one.type)])
  for (const want of task.wants) if (want.needed && !made.has(want.type)) faults.push(`Nothing makes ${want.type}.`)
  const price = plan.steps.reduce((sum, step) => sum + priceOf(step.offer), 0n)
  if (price !== plan.price) faults.push(`The steps cost ${price} and the plan says ${plan.price}.`)
  if (price > task.payable) faults.push(`The steps cost ${price} and ${task.payable} may be spent.`)
  return faults
}

/** Completes chosen steps to a plan: order, modes and price. */
export function buildPlan(chosen: readonly { offer: SkillOffer; inputs: readonly PlannedInput[] }[]): Plan {
  const drafts = chosen.map(({ offer, inputs }, index) => ({
    step: index + 1,
    offer,
    inputs,
    outputs: outputTypes(offer),
    depends_on: [...new Set(inputs.flatMap((input) => input.step ?? []))].sort((a, b) => a - b),
  }))
  const modes = executionModes(drafts)
  const steps = drafts.map((draft, index) => ({ ...draft, mode: modes[index] ?? ('sync' as const) }))
  return { steps, price: steps.reduce((sum, step) => sum + priceOf(step.offer), 0n), critical_path: longestStepChain(steps), left_out: [] }
}
