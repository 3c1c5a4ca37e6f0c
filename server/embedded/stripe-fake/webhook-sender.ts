import Stripe from 'stripe'
import { keepState, type StripeFakeState } from './state.ts'

/** The delivery mode of the next webhooks. */
export type Delivery = {
  /** `late`: only when `flush` is called. */
  readonly mode: 'once' | 'twice' | 'late' | 'never'
  /** Newest first, when `late` ones are flushed. */
  readonly reversed?: boolean
  readonly signature?: 'right' | 'wrong' | 'old'
  readonly isLive?: boolean
}

export type WebhookSender = {
  notify(type: string, object: object, account?: string): void
  /** API v2 events name the object, and no more. */
  notifyThin(type: string, related: { readonly id: string; readonly type: string }): void
  setDelivery(delivery: Delivery): void
  /** Sends the waiting events. Resolves when each was answered. */
  flush(): Promise<void>
  /** The statuses of the receiver's answers, oldest first. */
  readonly answers: readonly number[]
  close(): Promise<void>
}

type Options = {
  readonly state: StripeFakeState
  readonly file: string | null
  readonly url: string | null
  readonly secret: string
  now(): number
  next(prefix: string): string
}

const maxTries = 12

/** Signs and sends webhooks as Stripe does: at least once, in any order, with retries. */
export function createWebhookSender({ state, file, url, secret, now, next }: Options): WebhookSender {
  const stripe = new Stripe('sk_test_double')
  const answers: number[] = []
  let delivery: Delivery = { mode: 'once' }
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()
  let isClosed = false

  function queue(body: object, id: string): void {
    if (delivery.mode === 'never' || url === null) return
    const text = JSON.stringify(body)
    const copies = delivery.mode === 'twice' ? 2 : 1
    for (let copy = 0; copy < copies; copy++) state.notices.push({ id, body: text, dueAt: 0, tries: 0 })
    if (delivery.mode !== 'late') wakeUp(0)
  }

  function wakeUp(ms: number): void {
    if (isClosed) return
    clearTimeout(timer)
    timer = setTimeout(() => {
      running = running.then(() => sendDue(Date.now()))
    }, ms)
  }

  async function sendDue(until: number): Promise<void> {
    const due = state.notices.filter((notice) => notice.dueAt <= until)
    if (delivery.reversed) due.reverse()
    for (const notice of due) {
      if (isClosed) return
      notice.tries++
      const status = await send(notice.body)
      answers.push(status)
      const isDone = (status >= 200 && status < 300) || notice.tries >= maxTries
      if (isDone) state.notices.splice(state.notices.indexOf(notice), 1)
      else notice.dueAt = Date.now() + Math.min(500 * 2 ** notice.tries, 60_000)
    }
    keepState(file, state)
    const [first] = state.notices.map((notice) => notice.dueAt).sort((a, b) => a - b)
    if (first !== undefined && delivery.mode !== 'late') wakeUp(Math.max(first - Date.now(), 50))
  }

  async function send(payload: string): Promise<number> {
    const timestamp = delivery.signature === 'old' ? now() - 3_600 : now()
    const key = delivery.signature === 'wrong' ? `${secret}x` : secret
    const header = stripe.webhooks.generateTestHeaderString({ payload, secret: key, timestamp })
    const headers = { 'content-type': 'application/json', 'stripe-signature': header }
    return fetch(url ?? '', { method: 'POST', body: payload, headers, signal: AbortSignal.timeout(10_000) }).then(
      async (response) => {
        await response.body?.cancel()
        return response.status
      },
      () => 0,
    )
  }

  if (state.notices.length > 0) wakeUp(0)
  return {
    notify(type, object, account) {
      const id = next('evt')
      const about = account === undefined ? {} : { account }
      const livemode = delivery.isLive ?? false
      // An event shows the object as it was when the event happened.
      queue({ id, object: 'event', type, livemode, created: now(), ...about, data: { object: structuredClone(object) } }, id)
    },
    notifyThin(type, related) {
      const id = next('evt')
      const created = new Date(now() * 1_000).toISOString()
      queue({ id, object: 'v2.core.event', type, livemode: delivery.isLive ?? false, created, related_object: related }, id)
    },
    setDelivery(wanted) {
      delivery = wanted
    },
    async flush() {
      clearTimeout(timer)
      running = running.then(() => sendDue(Number.POSITIVE_INFINITY))
      await running
    },
    answers,
    async close() {
      isClosed = true
      clearTimeout(timer)
      await running
    },
  }
}
