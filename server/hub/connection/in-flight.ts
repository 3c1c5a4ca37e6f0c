/** What of one connection is under way beside its other frames: talk, which keeps its order by itself, and acks. */
export type InHand = {
  talkBegan(): void
  talkEnded(): void
  /**
   * `written`: when the ack is; those that came together share it. `over`: called once for all
   * of them. Whether it is the first of them.
   */
  ack(written: Promise<void>, over: () => void): boolean
  isNothing(): boolean
  /** When what was under way is done. */
  done(): Promise<void>
}

/** It counts, where a promise for each message would cost more than the rest of its way through the connection. */
export function createInHand(): InHand {
  let talking = 0
  let quiet: PromiseWithResolvers<void> | null = null
  let acked: Promise<void> | null = null
  return {
    talkBegan() {
      talking++
    },
    talkEnded() {
      talking--
      if (talking > 0) return
      quiet?.resolve()
      quiet = null
    },
    ack(written, over) {
      if (written === acked) return false
      acked = written
      const forget = () => {
        if (acked === written) acked = null
        over()
      }
      written.then(forget, forget)
      return true
    },
    isNothing: () => talking === 0 && acked === null,
    async done() {
      if (talking > 0) {
        quiet ??= Promise.withResolvers()
        await quiet.promise
      }
      await acked
    },
  }
}
