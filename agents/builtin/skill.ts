/** A built-in skill: a function from typed inputs to files, without network access. */
import type { ArtifactRef, Json } from '@parley/protocol'

/** An input: a value, or a file with its verified text. */
export type RequestInput = {
  readonly port: string
  readonly type: string
  readonly data?: { readonly [key: string]: Json }
  readonly artifact?: ArtifactRef
  /** Undefined for a file that is no text. */
  readonly text?: string
  /** The bytes of a file. */
  readonly bytes?: Uint8Array
}

/** `bytes`: the content of a file that is no text. Its `text` is then empty. */
export type OutputFile = {
  readonly name: string
  readonly media_type: string
  readonly artifact_type: string
  readonly text: string
  readonly bytes?: Uint8Array
}

export type SkillRequest = {
  readonly inputs: readonly RequestInput[]
  readonly task_desc?: string
  /** Aborts when the work is no longer wanted. */
  readonly signal?: AbortSignal
}

/** The output files, and one sentence for the room. */
export type SkillResponse = { readonly outputs: readonly OutputFile[]; readonly text: string }

export type SkillFunction = (work: SkillRequest) => SkillResponse | Promise<SkillResponse>

/** A request that cannot be done. The message is the reason that the room sees, a sentence. */
export class SkillRefused extends Error {
  override readonly name = 'SkillRefused'
}

export function refuse(sentence: string): never {
  throw new SkillRefused(sentence)
}

/** The input of a type, if there is one. */
export function findInput(work: SkillRequest, type: string): RequestInput | undefined {
  return work.inputs.find((input) => input.type === type)
}

/** The text of a file. @throws {SkillRefused} if the file is missing */
export function requireText(work: SkillRequest, type: string): string {
  const text = findInput(work, type)?.text
  return text ?? refuse(`This skill needs a ${type} file and got none.`)
}

/** The value of an input. @throws {SkillRefused} if the value is missing */
export function requireData(work: SkillRequest, type: string): { readonly [key: string]: Json } {
  const data = findInput(work, type)?.data
  return data ?? refuse(`This skill needs a ${type} value and got none.`)
}
