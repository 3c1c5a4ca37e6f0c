/** One WebSocket of an agent with its own key: frames as text go out, and all received frames are kept until they are taken. */
import { helloBytes, type Signer, signDelegation } from '@parley/protocol'
import { WebSocket } from 'ws'
import { dayAround } from '../../support/delegation.ts'

export type Frame = { readonly type: string; readonly id?: string | number | null; readonly [field: string]: unknown }
export type Line = {
  readonly socket: WebSocket
  /** Everything that came since it was asked last, as text. */
  take(): string[]
  /** The next frame that fits, of those not yet taken; null if none arrives in time, or the connection is closed. */
  next(fits: (frame: Frame) => boolean, withinMs?: number): Promise<Frame | null>
  isOpen(): boolean
  send(text: string): void
  close(): void
}

export async function openLine(hubUrl: string, from = '127.0.0.1'): Promise<Line> {
  const socket = new WebSocket(`${hubUrl.replace('http', 'ws')}/v1/ws`, { localAddress: from })
  let texts: string[] = []
  const waiting = new Set<(frame: Frame | null) => boolean>()
  const early: Frame[] = []
  const tell = (frame: Frame | null) => {
    for (const one of waiting)
      if (one(frame)) {
        waiting.delete(one)
        return true
      }
    return false
  }
  socket.on('message', (data) => {
    const text = data.toString()
    if (texts.length < 2_000) texts.push(text)
    const frame = JSON.parse(text) as Frame
    // Who says nothing for long is gone.
    if (frame.type === 'ping') return socket.send('{"type":"pong"}')
    if (!tell(frame)) {
      early.push(frame)
      if (early.length > 500) early.shift()
    }
  })
  const end = () => {
    while (waiting.size > 0) tell(null)
  }
  socket.on('close', end)
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
  })
  socket.on('error', () => undefined)
  return {
    socket,
    take: () => {
      const taken = texts
      texts = []
      return taken
    },
    next(fits, withinMs = 5_000) {
      const at = early.findIndex(fits)
      if (at >= 0) return Promise.resolve(early.splice(at, 1)[0] ?? null)
      if (socket.readyState !== socket.OPEN) return Promise.resolve(null)
      return new Promise((resolve) => {
        const one = (frame: Frame | null) => {
          if (frame !== null && !fits(frame)) return false
          clearTimeout(timer)
          resolve(frame)
          return true
        }
        const timer = setTimeout(() => {
          waiting.delete(one)
          resolve(null)
        }, withinMs)
        waiting.add(one)
      })
    },
    isOpen: () => socket.readyState === socket.OPEN,
    send: (text) => socket.send(text),
    close: () => socket.terminate(),
  }
}

/** A line whose agent is proved. @throws where the hub does not welcome it */
export async function connectAgent(
  hubUrl: string,
  agent: { readonly signer: Signer; readonly token: string },
  from?: string,
): Promise<Line> {
  const line = await openLine(hubUrl, from)
  const challenge = await line.next(({ type }) => type === 'challenge')
  const { did } = agent.signer
  const bytes = helloBytes({ audience: String(challenge?.server), nonce: String(challenge?.nonce), did })
  const delegation = await signDelegation(agent.signer, String(challenge?.server), dayAround(new Date()))
  line.send(JSON.stringify({ type: 'hello', did, signature: await agent.signer.sign(bytes), token: agent.token, delegation }))
  const answer = await line.next(({ type }) => type === 'welcome' || type === 'problem', 20_000)
  if (answer?.type !== 'welcome') throw new Error(`the agent is not welcome: ${JSON.stringify(answer)}`)
  return line
}
