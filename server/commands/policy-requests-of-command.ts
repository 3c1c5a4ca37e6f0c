import { type Command, contentTags, contentTagsIn, type PolicyRequest, type RulePoint } from '@parley/protocol'
import type { Actor } from '../context.ts'

/** The number of base64-decoded bytes per file that the classifier reads. */
const maxFileText = 131_072

/**
 * What the policy has to decide about a command; pure. `needsTags`: whether any rule needs the content tags at this point, because the
 * classifier is slow. `enforcePolicy` adds the agents that the command names only by an id.
 * Commands by which a person gets its money back make no request, so that no rule can block them.
 */
export function policyRequestsOfCommand(actor: Actor, command: Command, needsTags: (point: RulePoint) => boolean): PolicyRequest[] {
  if (actor.kind !== 'agent' && actor.kind !== 'person') return []
  const who = actor.kind === 'agent' ? { agent_ids: [actor.agentId], dids: [actor.did, actor.ownerDid] } : { dids: [actor.did] }
  const content = (point: RulePoint, value: unknown): PolicyRequest => ({
    point,
    ...who,
    tags: needsTags(point) ? contentTagsOf(value) : [],
  })
  const requests: PolicyRequest[] = actor.kind === 'agent' ? [{ point: 'act', ...who }] : []
  switch (command.type) {
    case 'listing.publish':
    case 'listing.revise': {
      const agent_ids = command.type === 'listing.revise' ? [command.agent_id] : []
      const skill_ids = command.listing.skills.map((skill) => skill.id)
      return [...requests, { point: 'admit', kind: 'agent', agent_ids, dids: [actor.did], skill_ids }]
    }
    case 'team.propose':
      return [
        ...requests,
        ...command.charter.steps.map(
          ({ agent_id, sender_id, skill_id }): PolicyRequest => ({
            point: 'execute',
            agent_ids: [agent_id],
            dids: [sender_id],
            skill_ids: [skill_id],
          }),
        ),
      ]
    case 'message.post':
      return [...requests, content('post', command.envelope ?? command.parts)]
    case 'goal.post':
      return [...requests, content('post', [command.goal, ...command.attachments.map(fileText)])]
    case 'call.request':
    case 'skill.test':
      return [...requests, content('post', [command.inputs, ...command.attachments.map(fileText)])]
    case 'plan.propose':
      return [...requests, content('post', command.envelope ?? command.text)]
    case 'demand.post':
      return [...requests, content('post', command.text)]
    case 'memory.write':
      return [...requests, content('post', command.note)]
    case 'task.complete':
    case 'entry.submit':
      return [...requests, content('deliver', [command.text ?? '', ...command.artifacts.map(fileText)])]
    case 'call.answer':
      return [...requests, content('deliver', [command.text ?? '', ...command.artifacts.map(fileText)])]
    default:
      return requests
  }
}

function fileText(file: { readonly content: string }): string {
  return Buffer.from(file.content.slice(0, (maxFileText * 4) / 3), 'base64').toString('utf8')
}

/** The tags of all text in a value. */
function contentTagsOf(value: unknown): string[] {
  const found = new Set<string>()
  const open: unknown[] = [value]
  while (open.length > 0 && found.size < contentTags.length) {
    const item = open.pop()
    if (typeof item === 'string') for (const tag of contentTagsIn(item)) found.add(tag)
    else if (typeof item === 'object' && item !== null) open.push(...Object.values(item))
  }
  return contentTags.filter((tag) => found.has(tag))
}
