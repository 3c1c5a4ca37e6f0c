/** A skill that any matching resource of the gateways does: an MCP tool can so be hired through an agent, by charter and for pay. */
import type { Json, ResourceQuery } from '@parley/protocol'
import { refuse, type SkillFunction } from '../../skill.ts'
import type { ResourceFinder, ResourceOffer } from '../discovery/resource-finder.ts'

export type ProxySkillOptions = {
  readonly finder: Pick<ResourceFinder, 'find' | 'use'>
  /** The gateway query for this skill. */
  readonly query: ResourceQuery
  /** The skill id of the resource. */
  readonly skill: string
  readonly output: { readonly name: string; readonly media_type: string; readonly artifact_type: string }
}

/** Resources tried for one task, best first. */
const maxTried = 3

/** The skill as a function. If one resource fails, the next one is tried. */
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
      const used = (await finder.use(offer, skill, input)) as { answer?: { text?: unknown }; error?: unknown }
      if (typeof used.answer?.text === 'string') return used.answer.text
      faults.push(`${offer.admission.name}: ${String(used.error ?? 'no answer')}`)
    } catch (error) {
      faults.push(`${offer.admission.name}: ${error instanceof Error ? error.message : 'no answer'}`)
    }
    return null
  }
}
