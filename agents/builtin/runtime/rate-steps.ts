/** Ratings of steps that an agent worked with: files, types, attempts and duration. */
import { type AgentSession, type FeedbackRequest, findMessageData } from '@parley/agents'
import { type ArtifactRef, type DeliveredEnvelope, readSpeechAct } from '@parley/protocol'
import { parseTableSeries } from '../artifacts/table-series.ts'
import { parseAnalysis } from '../artifacts/trend-analysis-types.ts'

export type StepObservation = {
  readonly artifacts: readonly { readonly type: string; readonly size: number; readonly isReadable: boolean }[]
  readonly seconds: number | null
  /** Earlier tasks of the same step without a result. */
  readonly earlierTries: number
}

/** A rating of 0 to 100 with a sentence, from observations only. */
export function rateStep({ artifacts, seconds, earlierTries }: StepObservation): { value: number; text: string } {
  if (artifacts.length === 0) return { value: 20, text: 'No file came out of this step.' }
  const unreadable = artifacts.filter((artifact) => !artifact.isReadable || artifact.size === 0)
  const names = artifacts.map((artifact) => artifact.type).join(', ')
  let value = 96
  const remarks: string[] = []
  if (unreadable.length > 0) {
    value -= 50
    remarks.push(`${unreadable.map((artifact) => artifact.type).join(', ')} could not be read as what it says it is`)
  } else remarks.push(`${names} was complete and in its type`)
  if (earlierTries > 0) {
    value -= 15
    remarks.push(`it took ${earlierTries + 1} tries`)
  }
  if (seconds !== null) {
    if (seconds > 120) value -= 15
    else if (seconds > 30) value -= 6
    else if (seconds <= 10) value += 4
    remarks.push(`it came after ${seconds < 1.5 ? 'a second' : `${Math.round(seconds)} seconds`}`)
  }
  return { value: Math.max(0, Math.min(100, value)), text: `${remarks.join('; ')}.`.replace(/^./, (letter) => letter.toUpperCase()) }
}

/** Whether the text of a file matches its artifact type, for the types that the built-in agents know. */
export function isReadable(type: string, mediaType: string, text: string): boolean {
  try {
    if (type === 'table.series') parseTableSeries(text)
    else if (type === 'analysis.trend') parseAnalysis(text)
    else if (/[/+]json\b/.test(mediaType)) JSON.parse(text)
    else if (mediaType.startsWith('image/svg')) return /<svg\b/.test(text)
    return text.trim() !== ''
  } catch {
    return false
  }
}

/** Rates a step when the server asks. Errors are only warned about, because ratings are optional. */
export function giveFeedbackWhenAsked(session: AgentSession, warn: (error: unknown) => void): void {
  const roomOf = new Map<string, string>()
  session.on('invite', ({ goal_id, room_id }) => void roomOf.set(goal_id, room_id))
  session.on('offer', ({ offer }) => void roomOf.set(offer.goal_id, offer.room_id))
  session.on('feedback', async (invite) => {
    try {
      const room_id = roomOf.get(invite.goal_id) ?? (await findRoom(session, invite.goal_id))
      if (room_id === undefined) return
      const { value, text } = rateStep(await observe(session, room_id, invite))
      await session.giveFeedback({ task_id: invite.task_id as `tsk_${string}`, value, text })
    } catch (error) {
      warn(error)
    }
  })
}

/** After a restart the room is found by its charter, newest rooms first. */
async function findRoom(session: AgentSession, goal_id: string): Promise<string | undefined> {
  for (const room_id of [...session.rooms]
    .filter((id) => id.startsWith('rom_'))
    .sort()
    .reverse()
    .slice(0, 50)) {
    const { charter } = await session.conversation(room_id)
    if (charter?.goal_id === goal_id) return room_id
  }
  return undefined
}

async function observe(session: AgentSession, room_id: string, { task_id }: FeedbackRequest): Promise<StepObservation> {
  const messages: DeliveredEnvelope[] = []
  await session.replay(room_id, 0, (envelope) => messages.push(envelope as DeliveredEnvelope))
  const assignment = messages.find((envelope) => envelope.task_id === task_id && /_assignment$/.test(readSpeechAct(envelope.type)))
  const result = messages.find((envelope) => envelope.task_id === task_id && readSpeechAct(envelope.type) === 'task_result')
  const step = assignment && findMessageData(assignment, 'task')?.step
  const tries = messages.filter((envelope) => envelope.seq < (assignment?.seq ?? 0) && findMessageData(envelope, 'task')?.step === step)
  const refs: ArtifactRef[] = result?.parts.flatMap((part) => part.artifact ?? []) ?? []
  const artifacts = await Promise.all(
    refs.map(async ({ sha256, artifact_type, media_type, size }) => {
      const { bytes } = await session.getArtifact({ room_id, sha256 })
      return { type: artifact_type, size, isReadable: isReadable(artifact_type, media_type, new TextDecoder().decode(bytes)) }
    }),
  )
  const seconds = assignment && result ? (Date.parse(result.received_at) - Date.parse(assignment.received_at)) / 1_000 : null
  return { artifacts, seconds, earlierTries: tries.length }
}
