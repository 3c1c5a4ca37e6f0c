/** The posts and acks of one connection that are in flight beside its other frames. */
export type InFlightFrames = {
  postStarted(): void
  postFinished(): void
  /**
   * `written`: resolves when the ack is committed; acks of one batch share it. `over`: called once per batch.
   * Returns true for the first ack of a batch.
   */
  ack(written: Promise<void>, over: () => void): boolean
  isEmpty(): boolean
  /** Resolves when nothing is in flight. */
  drained(): Promise<void>
}

/** Uses a counter, because a promise per message would cost more than the rest of its handling. */
export function createInFlightFrames(): InFlightFrames {
  let posts = 0
  let idle: PromiseWithResolvers<void> | null = null
  let ackWrite: Promise<void> | null = null
  return {
    postStarted() {
      posts++
    },
    postFinished() {
      posts--
      if (posts > 0) return
      idle?.resolve()
      idle = null
    },
    ack(written, over) {
      if (written === ackWrite) return false
      ackWrite = written
      const forget = () => {
        if (ackWrite === written) ackWrite = null
        over()
      }
      written.then(forget, forget)
      return true
    },
    isEmpty: () => posts === 0 && ackWrite === null,
    async drained() {
      if (posts > 0) {
        idle ??= Promise.withResolvers()
        await idle.promise
      }
      await ackWrite
    },
  }
}
