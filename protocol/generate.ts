/** Writes `schemas/`: the wire types as JSON Schema 2020-12, for those who speak another language. Run it after every change in `src/`. */
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import {
  Acknowledgement,
  AgentFrame,
  ArtifactRef,
  ArtifactUpload,
  Charter,
  Command,
  DiscoverQuery,
  Envelope,
  Event,
  Feedback,
  GoalBrief,
  GoalOffer,
  Listing,
  ListingDraft,
  MemberSignature,
  Part,
  Problem,
  ServerFrame,
  Signature,
  Skill,
  TaskInput,
} from './src/index.ts'

const types = {
  acknowledgement: Acknowledgement,
  'agent-frame': AgentFrame,
  'artifact-ref': ArtifactRef,
  'artifact-upload': ArtifactUpload,
  charter: Charter,
  command: Command,
  'discover-query': DiscoverQuery,
  envelope: Envelope,
  event: Event,
  feedback: Feedback,
  'goal-brief': GoalBrief,
  'goal-offer': GoalOffer,
  listing: Listing,
  'listing-draft': ListingDraft,
  'member-signature': MemberSignature,
  part: Part,
  problem: Problem,
  'server-frame': ServerFrame,
  signature: Signature,
  skill: Skill,
  'task-input': TaskInput,
} as const

/** File name to content, as they should be. */
export function generateSchemas(): Map<string, string> {
  return new Map(
    Object.entries(types).map(([name, type]) => {
      // `input`: what may come over the wire, where a field with a default can be left out.
      const { $schema, ...schema } = z.toJSONSchema(type, { target: 'draft-2020-12', io: 'input' })
      return [`${name}.json`, `${JSON.stringify({ $schema, $id: `urn:parley:v1:${name}`, ...schema }, null, 2)}\n`]
    }),
  )
}

export const schemaFolder = path.join(import.meta.dirname, 'schemas')

if (import.meta.main) {
  mkdirSync(schemaFolder, { recursive: true })
  for (const [file, content] of generateSchemas()) writeFileSync(path.join(schemaFolder, file), content)
}
