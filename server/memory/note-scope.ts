import type { Actor } from '../context.ts'
import { memoryNotYours } from './errors.ts'

type NoteQuery = { readonly about?: string | undefined; readonly key?: string | undefined; readonly agent_id?: string | undefined }
/** Conditions on notes; an absent one does not filter. */
export type NoteFilter = { readonly agentId?: string; readonly about?: string; readonly key?: string }

/**
 * The notes that an actor may access: an agent its own, a person those about it. Pure.
 * @throws memory.not_entitled
 */
export function noteScope(actor: Actor, { about, key, agent_id }: NoteQuery): NoteFilter {
  const narrowed = { ...(key !== undefined && { key }) }
  if (actor.kind === 'agent') {
    if (agent_id !== undefined && agent_id !== actor.agentId) throw memoryNotYours(agent_id)
    return { ...narrowed, agentId: actor.agentId, ...(about !== undefined && { about }) }
  }
  const did = actor.kind === 'person' ? actor.did : ''
  if (did === '' || (about !== undefined && about !== did)) throw memoryNotYours(about ?? '')
  return { ...narrowed, about: did, ...(agent_id !== undefined && { agentId: agent_id }) }
}
