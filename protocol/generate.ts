/**
 * Writes `schemas/`, the wire types as JSON Schema 2020-12 for those who speak another language, and the table of rooms in
 * `SPEC.md`. Run it after every change in `src/`.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import {
  Admission,
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
  Proposal,
  Referral,
  RegistryPage,
  RegistryStatement,
  ResourceCard,
  ResourceQuery,
  type RoomState,
  Rule,
  roomStateLabels,
  roomStates,
  roomTable,
  ServerFrame,
  Signature,
  Skill,
  TaskInput,
  TaskReceipt,
  Vote,
} from './src/index.ts'

const types = {
  'task-receipt': TaskReceipt,
  admission: Admission,
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
  proposal: Proposal,
  referral: Referral,
  'registry-page': RegistryPage,
  'registry-statement': RegistryStatement,
  'resource-card': ResourceCard,
  'resource-query': ResourceQuery,
  rule: Rule,
  'server-frame': ServerFrame,
  signature: Signature,
  skill: Skill,
  'task-input': TaskInput,
  vote: Vote,
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

const marks = ['<!-- made by protocol/generate.ts -->', '<!-- end -->'] as const

/** The specification with the table of rooms as the source has it. */
export function generateSpec(spec: string): string {
  const code = (states: readonly RoomState[]) => states.map((state) => `\`${state}\``).join(', ')
  const rows = Object.entries(roomTable).map(([move, { by, does, ways }]) => {
    const led: { readonly [from in RoomState]?: readonly RoomState[] } = ways
    // States that the move leaves as they are stand together.
    const stays = roomStates.filter((from) => led[from]?.length === 1 && led[from][0] === from)
    const leads = roomStates
      .filter((from) => led[from] && !stays.includes(from))
      .map((from) => `${code([from])} → ${code(led[from] ?? [])}`)
    return `| \`${move}\` | ${by} | ${does} | ${[...leads, ...(stays.length > 0 ? [`${code(stays)} stay`] : [])].join(' · ')} |`
  })
  const states = roomStates.map((state) => `\`${state}\` (${roomStateLabels[state].toLowerCase()})`).join(', ')
  const table = ['', `States: ${states}.`, '', '| move | by | what it does | from → to |', '| --- | --- | --- | --- |', ...rows, '']
  const [before = '', rest = ''] = spec.split(marks[0])
  const [, after = ''] = rest.split(marks[1])
  return `${before}${marks[0]}\n${table.join('\n')}\n${marks[1]}${after}`
}

export const specFile = path.join(import.meta.dirname, 'SPEC.md')
export const schemaFolder = path.join(import.meta.dirname, 'schemas')

if (import.meta.main) {
  mkdirSync(schemaFolder, { recursive: true })
  for (const [file, content] of generateSchemas()) writeFileSync(path.join(schemaFolder, file), content)
  writeFileSync(specFile, generateSpec(readFileSync(specFile, 'utf8')))
}
