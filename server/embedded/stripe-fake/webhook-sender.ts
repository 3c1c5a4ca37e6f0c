import Stripe from 'stripe'
import { type StripeFakeState, saveState } from './state.ts'

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

type Sender = Options & {
  readonly stripe: Stripe
  readonly answers: number[]
  delivery: Delivery
  timer: NodeJS.Timeout | undefined
  /** Resolves when the current sending has ended. */
  running: Promise<void>
  isClosed: boolean
}

/** Signs and sends webhooks as Stripe does: at least once, in any order, with retries. */
export function createWebhookSender(options: Options): WebhookSender {
  const { now, next } = options
  const sender: Sender = {
    ...options,
    stripe: new Stripe('sk_test_fake'),
    answers: [],
    delivery: { mode: 'once' },
    timer: undefined,
    running: Promise.resolve(),
    isClosed: false,
  }
  if (options.state.notices.length > 0) sendLater(sender, 0)
  return {
    notify(type, object, account) {
      const id = next('evt')
      const about = account === undefined ? {} : { account }
      const livemode = sender.delivery.isLive ?? false
      // An event shows the object as it was when the event happened.
      const data = { object: structuredClone(object) }
      enqueue(sender, { id, object: 'event', type, livemode, created: now(), ...about, data })
    },
    notifyThin(type, related) {
      const id = next('evt')
      const created = new Date(now() * 1_000).toISOString()
      const livemode = sender.delivery.isLive ?? false
      enqueue(sender, { id, object: 'v2.core.event', type, livemode, created, related_object: related })
    },
    setDelivery(wanted) {
      sender.delivery = wanted
    },
    async flush() {
      clearTimeout(sender.timer)
      sender.running = sender.running.then(() => sendDue(sender, Number.POSITIVE_INFINITY))
      await sender.running
    },
    answers: sender.answers,
    async close() {
      sender.isClosed = true
      clearTimeout(sender.timer)
      await sender.running
    },
  }
}

function enqueue(sender: Sender, event: { readonly id: string; readonly [field: string]: unknown }): void {
  const { state, url, delivery } = sender
  if (delivery.mode === 'never' || url === null) return
  const body = JSON.stringify(event)
  const copies = delivery.mode === 'twice' ? 2 : 1
  for (let copy = 0; copy < copies; copy++) state.notices.push({ id: event.id, body, dueAt: 0, tries: 0 })
  if (delivery.mode !== 'late') sendLater(sender, 0)
}

function sendLater(sender: Sender, ms: number): void {
  if (sender.isClosed) return
  clearTimeout(sender.timer)
  sender.timer = setTimeout(() => {
    sender.running = sender.running.then(() => sendDue(sender, Date.now()))
  }, ms)
}

async function sendDue(sender: Sender, until: number): Promise<void> {
  const { state, file, answers } = sender
  const due = state.notices.filter((notice) => notice.dueAt <= until)
  if (sender.delivery.reversed) due.reverse()
  for (const notice of due) {
    if (sender.isClosed) return
    notice.tries++
    const status = await send(sender, notice.body)
    answers.push(status)
    const isDone = (status >= 200 && status < 300) || notice.tries >= maxTries
    if (isDone) state.notices.splice(state.notices.indexOf(notice), 1)
    else notice.dueAt = Date.now() + Math.min(500 * 2 ** notice.tries, 60_000)
  }
  saveState(file, state)
  const [first] = state.notices.map((notice) => notice.dueAt).sort((a, b) => a - b)
  if (first !== undefined && sender.delivery.mode !== 'late') sendLater(sender, Math.max(first - Date.now(), 50))
}

/** Resolves to the status of the answer; 0 without an answer. */
async function send({ stripe, url, secret, delivery, now }: Sender, payload: string): Promise<number> {
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
