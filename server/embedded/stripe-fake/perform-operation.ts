import { createAccount, getAccount } from './accounts.ts'
import { StripeApiError } from './api-error.ts'
import { balanceOf, balanceSettings } from './balance.ts'
import { createCheckoutSession, expandOf, getCheckoutSession, showSession } from './checkout-session.ts'
import { type FormFields, nestedFields, numberOf, readText } from './decode-form.ts'
import type { FakeContext } from './fake-context.ts'
import { createRefund, createReversal, createTransfer, getDispute, getRefund, getTransfer, updateDispute } from './transfers-and-refunds.ts'

/** One request of the SDK: path without the query, parameters, and JSON for API v2. */
export type StripeRequest = { readonly method: string; readonly path: string; readonly fields: FormFields; readonly json: unknown }
/** The name of the operation, for injected faults. */
export type StripeOperation = 'checkout' | 'transfer' | 'refund' | 'reversal' | 'evidence' | 'account' | 'link' | 'read'

export function operationOf({ method, path }: StripeRequest): StripeOperation {
  if (method !== 'POST') return 'read'
  if (path === '/v1/checkout/sessions') return 'checkout'
  if (path === '/v1/transfers') return 'transfer'
  if (path === '/v1/refunds') return 'refund'
  if (/^\/v1\/transfers\/[^/]+\/reversals$/.test(path)) return 'reversal'
  if (/^\/v1\/disputes\/[^/]+$/.test(path)) return 'evidence'
  if (path === '/v2/core/accounts') return 'account'
  if (path === '/v2/core/account_links') return 'link'
  return 'read'
}

/**
 * Performs the operation.
 * @throws an API error
 */
export function performOperation(context: FakeContext, request: StripeRequest, options: { readonly slowRefunds: boolean }): object {
  const { method, path, fields } = request
  const parts = path.split('/').slice(1)
  const [version, area, noun = '', id, sub] = parts
  if (method === 'POST') return create(context, request, options)
  if (version === 'v2' && area === 'core' && noun === 'accounts' && id) return getAccount(context, id)
  if (area === 'balance') return balance(context)
  if (area === 'balance_settings') return balanceSettings(context)
  if (area === 'checkout' && noun === 'sessions') {
    const expand = expandOf(fields)
    if (id) return showSession(context, getCheckoutSession(context, id), expand)
    return page(context.state.sessions, fields, path, (session) => showSession(context, getCheckoutSession(context, session.id), expand))
  }
  if (area === 'transfers' && noun && id === 'reversals') {
    const of = context.state.reversals.filter((one) => one.transfer === noun)
    const one = of.find((reversal) => reversal.id === sub)
    return one ?? page(of, fields, path)
  }
  if (area === 'transfers')
    return noun ? getTransfer(context, noun) : page(filtered(context.state.transfers, fields, 'transfer_group'), fields, path)
  if (area === 'refunds')
    return noun ? getRefund(context, noun) : page(filtered(context.state.refunds, fields, 'payment_intent'), fields, path)
  if (area === 'disputes')
    return noun ? getDispute(context, noun) : page(filtered(context.state.disputes, fields, 'payment_intent'), fields, path)
  if (area === 'balance_transactions') return page(context.state.entries, fields, path)
  throw unknown(request)
}

function create(context: FakeContext, request: StripeRequest, options: { readonly slowRefunds: boolean }): object {
  const { path, fields, json } = request
  switch (operationOf(request)) {
    case 'checkout':
      return showSession(context, createCheckoutSession(context, fields), expandOf(fields))
    case 'transfer':
      return createTransfer(context, fields)
    case 'refund':
      return createRefund(context, fields, options.slowRefunds)
    case 'reversal':
      return createReversal(context, path.split('/')[3] ?? '', fields)
    case 'evidence':
      return updateDispute(context, path.split('/')[3] ?? '', fields)
    case 'account':
      return createAccount(context, json as Parameters<typeof createAccount>[1])
    case 'link':
      return link(context, json as { account: string; use_case: { account_onboarding: { return_url: string } } })
    default:
      throw unknown(request)
  }
}

function link(context: FakeContext, asked: { account: string; use_case: { account_onboarding: { return_url: string } } }): object {
  getAccount(context, asked.account)
  const back = encodeURIComponent(asked.use_case.account_onboarding.return_url)
  return {
    object: 'v2.core.account_link',
    account: asked.account,
    created: new Date(context.now() * 1_000).toISOString(),
    expires_at: new Date((context.now() + 300) * 1_000).toISOString(),
    livemode: false,
    url: `${context.baseUrl()}/onboard/${asked.account}?back=${back}`,
    use_case: asked.use_case,
  }
}

function balance(context: FakeContext): object {
  const { available, pending } = balanceOf(context)
  return {
    object: 'balance',
    available: [{ amount: available, currency: 'usd' }],
    livemode: false,
    pending: [{ amount: pending, currency: 'usd' }],
  }
}

function filtered<T extends object>(all: readonly T[], fields: FormFields, name: keyof T & string): T[] {
  const wanted = readText(fields, name)
  return all.filter((one) => wanted === null || one[name] === wanted)
}

/** Newest first, as Stripe lists. */
function page<T extends { readonly id: string; readonly created: number }>(
  all: readonly T[],
  fields: FormFields,
  url: string,
  show: (one: T) => object = (one) => one,
): object {
  const since = numberOf(nestedFields(fields, 'created'), 'gte') ?? 0
  const limit = numberOf(fields, 'limit') ?? 10
  const found = all.filter((one) => one.created >= since).toReversed()
  const after = readText(fields, 'starting_after')
  const from = after === null ? 0 : found.findIndex((one) => one.id === after) + 1
  const data = found.slice(from, from + limit)
  return { object: 'list', url, has_more: found.length > from + data.length, data: data.map(show) }
}

function unknown({ method, path }: StripeRequest): StripeApiError {
  return new StripeApiError(404, 'invalid_request_error', 'resource_missing', `The fake does not know ${method} ${path}.`)
}
