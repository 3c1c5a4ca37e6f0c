/** Parses the frame headers of one WebSocket incrementally (RFC 6455, section 5.2), to measure incomplete messages. Pure. */

/** What a peer may send. Bytes are payload bytes on the wire. */
export type FrameLimits = {
  readonly messageBytes: number
  /** The limit of a compressed message, which may inflate to a thousand times its size. */
  readonly compressedBytes: number
  readonly fragments: number
}

export type FrameViolation = 'too large' | 'too many fragments'

export type FrameMeter = {
  /** Reads the next chunk. Returns the violation of the first frame that breaks a limit, and reads no further. */
  read(chunk: Uint8Array, limits: FrameLimits): FrameViolation | null
  /** Bytes of an incomplete message or frame. */
  readonly incompleteBytes: number
  /** Complete messages. */
  readonly messages: number
  /** Total bytes. */
  readonly bytes: number
}

const shortHead = 2
const [length16, length64] = [126, 127]
const maskBytes = 4
/** The first opcode of control frames, which may come between the fragments of a message. */
const firstControl = 8

export function createFrameMeter(): FrameMeter {
  const head = new Uint8Array(14)
  let headBytes = 0
  let headLength = shortHead
  let payloadLeft = 0
  /** Of the current message. */
  let [messageBytes, fragments, isCompressed, isMessageOpen] = [0, 0, false, false]
  let [bytes, messages, incompleteBytes] = [0, 0, 0]

  function beginFrame(limits: FrameLimits): FrameViolation | null {
    const [first = 0, second = 0] = head
    const short = second & 0x7f
    payloadLeft = short < length16 ? short : readLength(head, short === length16 ? 2 : 8)
    if ((first & 0x0f) >= firstControl) return null
    if (!isMessageOpen) [messageBytes, fragments, isCompressed, isMessageOpen] = [0, 0, (first & 0x40) !== 0, true]
    fragments++
    messageBytes += payloadLeft
    if (fragments > limits.fragments) return 'too many fragments'
    return messageBytes > (isCompressed ? limits.compressedBytes : limits.messageBytes) ? 'too large' : null
  }

  function endFrame(): void {
    const [first = 0] = head
    const isControl = (first & 0x0f) >= firstControl
    const isLast = (first & 0x80) !== 0
    ;[headBytes, headLength] = [0, shortHead]
    if (!isControl && isLast) {
      isMessageOpen = false
      messages++
    }
    if (!isMessageOpen) incompleteBytes = 0
  }

  return {
    read(chunk, limits) {
      bytes += chunk.length
      for (let at = 0; at < chunk.length; ) {
        if (headBytes < headLength) {
          head[headBytes++] = chunk[at++] ?? 0
          incompleteBytes++
          if (headBytes === shortHead) headLength = lengthOfHead(head[1] ?? 0)
          if (headBytes < headLength) continue
          const fault = beginFrame(limits)
          if (fault !== null) return fault
        }
        const step = Math.min(payloadLeft, chunk.length - at)
        payloadLeft -= step
        at += step
        incompleteBytes += step
        if (payloadLeft === 0) endFrame()
      }
      return null
    },
    get incompleteBytes() {
      return incompleteBytes
    },
    get messages() {
      return messages
    },
    get bytes() {
      return bytes
    },
  }
}

function lengthOfHead(second: number): number {
  const short = second & 0x7f
  const isMasked = (second & 0x80) !== 0
  return shortHead + (short === length16 ? 2 : short === length64 ? 8 : 0) + (isMasked ? maskBytes : 0)
}

/** The extended length in network order. A value beyond exact integers also exceeds every limit. */
function readLength(head: Uint8Array, count: number): number {
  let length = 0
  for (let at = shortHead; at < shortHead + count; at++) length = length * 256 + (head[at] ?? 0)
  return length
}
