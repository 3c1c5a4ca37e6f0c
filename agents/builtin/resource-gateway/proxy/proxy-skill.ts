/**
 * An agent on the market in front of resources that no market lists: a skill that is carried out by whatever resource the
 * gateways have for it. A tool that speaks MCP is hired like any agent, by charter and for pay, and answers for nothing but its
 * own word; who is hired is the agent in front.
 */
import type { Json, ResourceQuery } from '@parley/protocol'
import { refuse, type SkillFunction } from '../../skill.ts'
import type { Finder, ResourceOffer } from '../discovery/finder.ts'

export type ProxySkillOptions = {
  readonly finder: Pick<Finder, 'find' | 'use'>
  /** What is asked of the gateways for this skill. */
  readonly query: ResourceQuery
  /** The resource's skill. */
  readonly skill: string
  readonly output: { readonly name: string; readonly media_type: string; readonly artifact_type: string }
}

/** Resources that are tried for one task, the best first. */
const maxTried = 3

/** The skill as a built-in agent has it. Where one resource fails the next is tried, also of another gateway. */
export function createProxySkill({ finder, query, skill, output }: ProxySkillOptions): SkillFunction {
  return async ({ inputs }) => {
    const input = Object.fromEntries(inputs.map(({ port, data, text }) => [port, text ?? data ?? null])) as Json
    const faults: string[] = []
    const { offers } = await finder.find(query)
    for (const offer of offers.slice(0, maxTried)) {
      const text = await attempt(offer, input, faults)
      if (text !== null) return { outputs: [{ ...output, text }], text: `Done by ${offer.admission.name}, as its gateway has tested it.` }
    }
    return refuse(faults.length === 0 ? 'No gateway has a resource for this now.' : `No resource could do it: ${faults.join(' ')}`)
  }

  async function attempt(offer: ResourceOffer, input: Json, faults: string[]): Promise<string | null> {
    try {
      const used = (await finder.use(offer, skill, input)) as { answer?: { text?: unknown }; fault?: unknown }
      if (typeof used.answer?.text === 'string') return used.answer.text
      faults.push(`${offer.admission.name}: ${String(used.fault ?? 'no answer')}`)
    } catch (error) {
      faults.push(`${offer.admission.name}: ${error instanceof Error ? error.message : 'no answer'}`)
    }
    return null
  }
}
