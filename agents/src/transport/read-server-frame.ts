import { ServerFrame } from '@parley/protocol'

/** A frame whose fields all have the shapes of this version; undefined for any other value. */
export function readServerFrame(value: unknown): ServerFrame | undefined {
  const frame = ServerFrame.safeParse(value)
  return frame.success ? frame.data : undefined
}
