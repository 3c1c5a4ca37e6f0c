import { limits } from './limits.ts'

/** The maximum size of one frame, in bytes. A command with artifacts is the largest. */
export const maxFrameBytes = limits.requestBytes
/** The interval of the server's pings, milliseconds. After three intervals of silence a connection counts as lost. */
export const heartbeatMs = 15_000
