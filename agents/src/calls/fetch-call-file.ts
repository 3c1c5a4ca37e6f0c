import { sha256 } from '@parley/protocol'
import { base64Decode } from '../base64.ts'
import { artifactDiffers } from '../errors.ts'
import type { AgentSession } from '../session/agent-session.ts'

/** Downloads a file of a call. @throws {ProblemError} `session.artifact_differs` if the bytes do not have this hash */
export async function fetchCallFile(session: AgentSession, call_id: string, hash: string): Promise<Uint8Array> {
  const { file } = await session.send({ type: 'call.get', call_id, sha256: hash })
  const bytes = base64Decode(file?.content ?? '')
  const actual = await sha256(bytes)
  if (actual !== hash) throw artifactDiffers(hash, actual)
  return bytes
}
