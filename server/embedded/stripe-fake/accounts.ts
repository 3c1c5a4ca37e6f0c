import { missingObject } from './api-error.ts'
import type { FakeContext } from './fake-context.ts'
import type { ConnectedAccount } from './state.ts'

type Asked = { readonly display_name?: string; readonly metadata?: Record<string, string> }

export function createAccount(context: FakeContext, asked: Asked): ConnectedAccount {
  const account: ConnectedAccount = {
    id: context.next('acct'),
    object: 'v2.core.account',
    applied_configurations: ['recipient'],
    configuration: { recipient: { applied: true, capabilities: { stripe_balance: { stripe_transfers: transfers('restricted') } } } },
    created: new Date(context.now() * 1_000).toISOString(),
    dashboard: 'express',
    display_name: asked.display_name ?? '',
    livemode: false,
    metadata: asked.metadata ?? {},
    requirements: { entries: [wanted('identity.individual.given_name'), wanted('external_account')] },
  }
  context.state.accounts.push(account)
  return account
}

function transfers(status: 'active' | 'restricted') {
  return {
    status,
    status_details: status === 'active' ? [] : [{ code: 'requirements_past_due' as const, resolution: 'provide_info' as const }],
  }
}

type Wanted = NonNullable<NonNullable<ConnectedAccount['requirements']>['entries']>[number]

function wanted(description: string): Wanted {
  return {
    awaiting_action_from: 'user',
    description,
    errors: [],
    impact: {},
    minimum_deadline: { status: 'currently_due' },
    requested_reasons: [],
  }
}

export function getAccount(context: FakeContext, id: string): ConnectedAccount {
  const account = context.state.accounts.find((one) => one.id === id)
  if (!account) throw missingObject('account', id)
  return account
}

/** Sets whether Stripe needs more information from the owner. */
export function setAccountReady(context: FakeContext, id: string, isReady: boolean): void {
  const account = getAccount(context, id)
  account.configuration = {
    recipient: { applied: true, capabilities: { stripe_balance: { stripe_transfers: transfers(isReady ? 'active' : 'restricted') } } },
  }
  account.requirements = { entries: isReady ? [] : [wanted('identity.individual.id_number')] }
  context.notifyThin('v2.core.account[configuration.recipient].capability_status_updated', { id, type: 'v2.core.account' })
}
