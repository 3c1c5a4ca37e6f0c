/** The tasks and calls of a small agent: one at a time, with the leases of all kept. */
import type { ArtifactRef, ArtifactUpload, TaskInput } from '@parley/protocol'
import { requireHandler, type SkillResult } from '../agent/skill.ts'
import { firstInput, loadSkillInputs, type SkillInput } from '../agent/skill-input.ts'
import { failureReason, filesOf } from '../agent/skill-result.ts'
import { type ArtifactFile, bytesOf } from '../artifact.ts'
import { base64Decode, base64Encode } from '../base64.ts'
import { createBoundedMap } from '../bounded-map.ts'
import { artifactDiffers, fileTooLarge } from '../errors.ts'
import { sha256Hex } from './ed25519-signer.ts'

/** What the handler of a skill receives. */
export type SmallTask = {
  /** By port name. */
  readonly inputs: Readonly<Record<string, SkillInput>>
  /** The first input, for skills that take one. */
  readonly input: SkillInput
  readonly skill_id: string
  /** Id of the task or call. */
  readonly id: string
  /** Reports progress to the room; without effect for a call. `done`: percent. */
  progress(text: string, done?: number): Promise<void>
  /** `aborted` becomes true when the task is no longer this agent's. */
  readonly signal: { readonly aborted: boolean }
}

/** Does one task or call. An error that it throws fails the task; its message is the reason that the room sees. */
export type SmallHandler = (task: SmallTask) => SkillResult | Promise<SkillResult>

/** The functions of a small agent, by skill id. */
export type SmallHandlers = Readonly<Record<string, SmallHandler>>

/** A file of a result as it is sent, and the reference by which a message names it. */
export type SmallUpload = { readonly upload: ArtifactUpload; readonly ref: ArtifactRef }

/** One task or call. Each function sends a command; false: it is settled, or not this agent's. */
export type SmallWork = {
  readonly id: string
  readonly skill_id: string
  readonly inputs: readonly TaskInput[]
  /** Artifact type of a result that is a string. */
  readonly output: string | undefined
  begin(): Promise<boolean>
  /** Renews the lease. Left out for a call, which has a fixed time. */
  renew?(): Promise<boolean>
  progress(text: string, done?: number): Promise<unknown>
  /** The content of a file in base64. */
  fetchFile(sha256: string): Promise<string>
  complete(files: readonly SmallUpload[], text: string): Promise<unknown>
  fail(reason: string): Promise<unknown>
}

/** `leaseMs`: interval at which leases are renewed, milliseconds. `maxFileBytes`: the largest file that a task may have as input. */
export type SmallWorkOptions = {
  readonly handlers: SmallHandlers
  readonly leaseMs: number
  readonly maxFileBytes: number
  readonly isEnded: () => boolean
}

/** Ids of tasks and calls that are remembered, so that none is done twice. */
const maxKnown = 1_000

/** Returns the function that does one task or call. It resolves when the server has the answer. */
export function createSmallWorkshop(options: SmallWorkOptions): (work: SmallWork) => Promise<void> {
  const known = createBoundedMap<true>(maxKnown)
  let last: Promise<void> = Promise.resolve()
  return async (work) => {
    if (known.has(work.id)) return
    known.set(work.id, true)
    const signal = { aborted: false }
    let release = () => {}
    try {
      if (!(await work.begin())) return
      release = keepLease(work, signal, options.leaseMs)
      const turn = last.then(() => answer(options, work, signal))
      last = turn.catch(() => {})
      await turn
    } catch (error) {
      known.delete(work.id)
      throw error
    } finally {
      release()
    }
  }
}

type AbortState = { aborted: boolean }

function keepLease({ renew }: SmallWork, signal: AbortState, leaseMs: number): () => void {
  if (!renew) return () => {}
  let isReleased = false
  let timer = setTimeout(renewAgain, leaseMs)
  async function renewAgain(): Promise<void> {
    // While the server is unreachable, one pending command is enough.
    const isMine = (await renew?.().catch(() => true)) ?? true
    if (!isMine) signal.aborted = true
    else if (!isReleased) timer = setTimeout(renewAgain, leaseMs)
  }
  return () => {
    isReleased = true
    clearTimeout(timer)
  }
}

async function answer(options: SmallWorkOptions, work: SmallWork, signal: AbortState): Promise<void> {
  if (signal.aborted) return
  try {
    const { files, text } = filesOf(await callHandler(options, work, signal), work.output)
    if (!signal.aborted) await work.complete(files.map(toSmallUpload), text)
  } catch (error) {
    // The end of the session does not fail the work: the server gives it to the next session.
    if (options.isEnded()) throw error
    if (!signal.aborted) await work.fail(failureReason(error))
  }
}

async function callHandler({ handlers, maxFileBytes }: SmallWorkOptions, work: SmallWork, signal: AbortState): Promise<SkillResult> {
  const { id, skill_id } = work
  const handler = requireHandler(handlers, skill_id)
  const files = work.inputs.flatMap(({ artifact }) => artifact ?? [])
  for (const { name, size } of files) if (size > maxFileBytes) throw fileTooLarge(name, size, maxFileBytes)
  const inputs = await loadSkillInputs(work.inputs, async (sha256) => {
    const bytes = base64Decode(await work.fetchFile(sha256))
    const actual = sha256Hex(bytes)
    if (actual !== sha256) throw artifactDiffers(sha256, actual)
    return bytes
  })
  const progress = async (text: string, done?: number) => void (await work.progress(text, done))
  return handler({ inputs, input: firstInput(inputs), skill_id, id, progress, signal })
}

function toSmallUpload({ content, ...named }: ArtifactFile): SmallUpload {
  const bytes = bytesOf(content)
  return { upload: { ...named, content: base64Encode(bytes) }, ref: { ...named, sha256: sha256Hex(bytes), size: bytes.length } }
}
