import { getAccount, setAccountReady } from './accounts.ts'
import { StripeApiError } from './api-error.ts'
import { getCheckoutSession, paySession } from './checkout-session.ts'
import type { FakeContext } from './fake-context.ts'
import { endDispute, getDispute, openChargeback } from './transfers-and-refunds.ts'

/** A page, or a redirect. */
export type Shown = { readonly status: number; readonly html: string } | { readonly goTo: string }

/** The pages of Stripe: payment, account setup, and a bank's decisions. They ask for nothing and charge nothing. */
export function showStripePage(context: FakeContext, method: string, url: URL, form: URLSearchParams): Shown | null {
  const [, area, id = ''] = url.pathname.split('/')
  const action = method === 'POST' ? (form.get('action') ?? '') : ''
  try {
    if (area === 'pay' && id) return pay(context, id, action)
    if (area === 'onboard' && id) return onboard(context, id, action, url.searchParams.get('back') ?? '/')
    if (area === 'disputes') return disputes(context, id, action)
    return null
  } catch (error) {
    if (error instanceof StripeApiError) return { status: error.status, html: layout('Not there', `<p>${quoted(error.message)}</p>`) }
    throw error
  }
}

function pay(context: FakeContext, id: string, action: string): Shown {
  const session = getCheckoutSession(context, id)
  const price = `$${((session.amount_total ?? 0) / 100).toFixed(2)}`
  if (action === 'cancel') return { goTo: session.cancel_url ?? '/' }
  if (action === 'challenge') {
    if (paySession(context, id, 'challenged') === 'closed') return closed(session.status)
    return challengePage(session.url, price)
  }
  if (action === 'deny') paySession(context, id, 'declined')
  if (action === 'deny') return payPage(session.url, price, 'Your bank did not confirm the payment. Nothing was charged.')
  if (action === 'decline') return payPage(session.url, price, 'The card was declined. Nothing was charged.')
  if (action === 'pay' || action === 'dispute' || action === 'slow') {
    const result = paySession(context, id, action === 'slow' ? 'slow' : 'paid')
    if (result === 'closed') return closed(session.status)
    if (action === 'dispute') openChargeback(context, session.payment_intent ?? '')
    return { goTo: session.success_url ?? '/' }
  }
  if (session.status !== 'open') return closed(session.status)
  return payPage(session.url, price, null)
}

function closed(status: string | null): Shown {
  const text = status === 'complete' ? 'This was paid already.' : 'This page has expired. Open a new one from the goal.'
  return { status: 200, html: layout('Nothing to pay', `<p role="status">${text}</p>`) }
}

function payPage(url: string | null, price: string, problem: string | null): Shown {
  const html = `
    ${problem === null ? '' : `<p role="alert">${problem}</p>`}
    <p>A goal on Parley: <strong>${price}</strong></p>
    <form method="post" action="${quoted(url ?? '')}">
      <button name="action" value="pay">Pay ${price}</button>
      <button name="action" value="challenge">Pay with a card that the bank asks about (3-D Secure)</button>
      <button name="action" value="decline">Try a card that is declined</button>
      <button name="action" value="dispute">Pay, then dispute it at the bank</button>
      <button name="action" value="cancel">Go back without paying</button>
    </form>`
  return { status: problem === null ? 200 : 402, html: layout('Pay by card', html) }
}

function challengePage(url: string | null, price: string): Shown {
  const html = `
    <p>Your bank asks: do you want to pay <strong>${price}</strong>?</p>
    <form method="post" action="${quoted(url ?? '')}">
      <button name="action" value="pay">Confirm the payment</button>
      <button name="action" value="deny">Refuse it</button>
    </form>`
  return { status: 200, html: layout('Your bank', html) }
}

function onboard(context: FakeContext, id: string, action: string, back: string): Shown {
  getAccount(context, id)
  if (action === 'complete') setAccountReady(context, id, true)
  if (action !== '') return { goTo: back }
  const html = `
    <p>Here a publisher would tell Stripe who they are, and which bank account to pay out to.</p>
    <form method="post">
      <button name="action" value="complete">Complete the account</button>
      <button name="action" value="leave">Leave it for later</button>
    </form>`
  return { status: 200, html: layout('Your payout account', html) }
}

function disputes(context: FakeContext, id: string, action: string): Shown {
  if (id && (action === 'won' || action === 'lost')) {
    endDispute(context, getDispute(context, id).id, action)
    return { goTo: '/disputes' }
  }
  const rows = context.state.disputes.map(
    (one) => `
    <li>
      <p>${quoted(one.id)}: $${(one.amount / 100).toFixed(2)}, ${quoted(String(one.status).replaceAll('_', ' '))}, evidence ${
        one.evidence_details.submission_count > 0 ? 'submitted' : 'not submitted'
      }</p>
      ${
        one.status === 'needs_response' || one.status === 'under_review'
          ? `<form method="post" action="/disputes/${quoted(one.id)}">
          <button name="action" value="won">The bank decides for the market</button>
          <button name="action" value="lost">The bank decides for the client</button>
        </form>`
          : ''
      }
    </li>`,
  )
  const list = rows.length === 0 ? '<p>No payment is disputed.</p>' : `<ul>${rows.join('')}</ul>`
  return { status: 200, html: layout('Disputes at the bank', list) }
}

function quoted(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

const style = `
  :root { color-scheme: light dark; font: 1.05rem/1.5 system-ui, sans-serif }
  body { max-width: 34rem; margin: 3rem auto; padding: 0 1.25rem }
  form { display: grid; gap: .75rem }
  button { font: inherit; padding: .7rem 1rem; border-radius: .4rem; border: 1px solid; cursor: pointer; text-align: left; background: Canvas; color: CanvasText }
  form button:first-of-type { background: #0b5d59; border-color: #0b5d59; color: #fff }
  button:focus-visible { outline: 3px solid Highlight; outline-offset: 2px }
  li { margin-bottom: 1.5rem } ul { list-style: none; padding: 0 }
  .note { border-left: 4px solid #b45309; padding-left: .8rem }`

function layout(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,"><title>${title} (demonstration)</title><style>${style}</style></head>
<body><main>
<p class="note">A fake of Stripe on this machine: no card is asked for, and nothing is charged.</p>
<h1>${title}</h1>${content}
</main></body></html>`
}
