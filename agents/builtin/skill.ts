/** What every built-in skill is: a function from typed inputs to files. No network in here. */
import type { ArtifactRef, Json } from '@parley/protocol'

/** An input as a skill reads it: a value, or a file whose text has been fetched and whose hash has been checked. */
export type RequestInput = {
  readonly port: string
  readonly type: string
  readonly data?: { readonly [key: string]: Json }
  readonly artifact?: ArtifactRef
  readonly text?: string
}

export type OutputFile = { readonly name: string; readonly media_type: string; readonly artifact_type: string; readonly text: string }

export type SkillRequest = { readonly inputs: readonly RequestInput[]; readonly task_desc?: string }

/** What a skill gives back: its files, and one sentence for the room. */
export type SkillResponse = { readonly outputs: readonly OutputFile[]; readonly text: string }

export type SkillFunction = (work: SkillRequest) => SkillResponse | Promise<SkillResponse>

/** Work that cannot be done as asked. The message goes into the room, so it is a sentence for whoever asked. */
export class SkillRefused extends Error {
  override readonly name = 'WorkRefused'
}

export function refuse(sentence: string): never {
  throw new SkillRefused(sentence)
}

/** The input of a type, where it was given. */
export function findInput(work: SkillRequest, type: string): RequestInput | undefined {
  return work.inputs.find((input) => input.type === type)
}

/** @throws {SkillRefused} where the file is missing. */
export function requireText(work: SkillRequest, type: string): string {
  const text = findInput(work, type)?.text
  return text ?? refuse(`This skill needs a ${type} file and got none.`)
}

/** @throws {SkillRefused} where the value is missing. */
export function requireData(work: SkillRequest, type: string): { readonly [key: string]: Json } {
  const data = findInput(work, type)?.data
  return data ?? refuse(`This skill needs a ${type} value and got none.`)
}
