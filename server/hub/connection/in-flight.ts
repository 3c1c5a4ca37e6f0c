/** What of one connection is under way beside its other frames: talk, which keeps its order by itself, and acks. */
export type InFlight = {
  postStarted(): void
  postFinished(): void
  /**
   * `written`: when the ack is; those that came together share it. `over`: called once for all
   * of them. Whether it is the first of them.
   */
  ack(written: Promise<void>, over: () => void): boolean
  isEmpty(): boolean
  /** When what was under way is done. */
  drained(): Promise<void>
}

/** It counts, where a promise for each message would cost more than the rest of its way through the connection. */
export function createInFlight(): InFlight {
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
