import type { Json } from '@parley/protocol'
import { createChatEndpoint } from '../../../../agents/builtin/model/endpoint/chat-endpoint.ts'
import { type EnvironmentVariables, type ModelSettings, readModelSettings } from '../../../../agents/builtin/model/model-settings.ts'
import { startModelTask } from '../../../../agents/builtin/model/task/model-task.ts'
import type { RequestInput } from '../../../../agents/builtin/skill.ts'
import type { Specialist, SpecialistAnswer } from '../../../../agents/builtin/specialists/specialist.ts'
import { type MisbehavingModel, type ModelReply, startMisbehavingModel } from '../../../support/misbehaving-model.ts'
import type { Asked } from '../../../support/model-double.ts'

export type SpecialistRun = { readonly answer: SpecialistAnswer; readonly asked: MisbehavingModel['asked'] }
type Query = { readonly [key: string]: Json }

export const textInput = (text: string, name = 'notes.txt', type = 'document.text'): RequestInput => ({
  port: 'document',
  type,
  text,
  artifact: { sha256: 'a'.repeat(64), name, media_type: 'text/plain', size: text.length, artifact_type: type } as NonNullable<
    RequestInput['artifact']
  >,
})

/** What a JSON message to the model holds. */
export const dataOf = ({ messages }: Pick<Asked, 'messages'>): { readonly [key: string]: unknown } =>
  JSON.parse(messages[1]?.content ?? '{}')

export const settingsFor = (baseURL: string, more: EnvironmentVariables = {}): ModelSettings => {
  const settings = readModelSettings({ OPENAI_BASE_URL: baseURL, OPENAI_MODEL: 'fake-model', ...more })
  if (!settings) throw new Error('no settings')
  return settings
}

/** Runs a specialist against a model that answers by a function. `asked` stays readable if it is refused. */
export async function runSpecialist(
  { run, skill }: Specialist,
  { query, files = [] }: { query?: Query; files?: readonly RequestInput[] },
  reply: (nth: number, asked: Asked) => ModelReply,
): Promise<SpecialistRun> {
  const model = await startMisbehavingModel(reply)
  try {
    const settings = settingsFor(model.baseURL)
    const endpoint = createChatEndpoint({ ...settings, timeoutMs: 1_000, backoffMs: 5 })
    const task = startModelTask({ settings, budget: { input: 60_000, output: 6_000 }, endpoint, taskMs: 30_000 })
    const [port] = skill.inputs
    const inputs = [...(query && port ? [{ port: port.name, type: port.type, data: query }] : []), ...files]
    return { answer: await run({ inputs }, task), asked: model.asked }
  } catch (error) {
    throw Object.assign(error as Error, { asked: model.asked })
  } finally {
    await model[Symbol.asyncDispose]()
  }
}

/** Always the same answer. */
export const always = (content: unknown) => (): ModelReply => ({ content })
/** These answers in order, and the last one again and again. */
export const inOrder =
  (...contents: readonly unknown[]) =>
  (nth: number): ModelReply => ({ content: contents[Math.min(nth, contents.length) - 1] })
