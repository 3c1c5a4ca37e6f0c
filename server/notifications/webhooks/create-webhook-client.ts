import type { AddressPolicy } from '../../../agents/builtin/resource-gateway/net/address-policy.ts'
import { findUrlError } from '../../../agents/builtin/resource-gateway/net/address-policy.ts'
import { boundedFetch, FetchError } from '../../../agents/builtin/resource-gateway/net/bounded-fetch.ts'
import type { WebhookClient } from '../../ports.ts'

const bounds = { ms: 10_000, bytes: 65_536 }

/**
 * The client of outbound webhooks. Its egress guard is that of the gateways: public addresses only, over https, and the checked address is the one connected to.
 * `allowedOrigins`: origins inside this machine's network that the operator has allowed.
 */
export function createWebhookClient(
  allowedOrigins: readonly string[],
  lookup?: Parameters<typeof boundedFetch>[1]['lookup'],
): WebhookClient {
  const policy: AddressPolicy = { allowed: new Set(allowedOrigins) }
  return {
    findUrlFault: (url) => findUrlError(url, policy),
    async post(url, { body, headers }) {
      try {
        const { status } = await boundedFetch(url, {
          ...{ policy, bounds, body, method: 'POST', truncates: true },
          headers: { 'content-type': 'application/json', 'user-agent': 'parley-webhooks', accept: '*/*', ...headers },
          ...(lookup && { lookup }),
        })
        return { status, error: faultOf(status) }
      } catch (error) {
        if (!(error instanceof FetchError)) throw error
        // The address behind a name is no business of a stranger: it can lie inside this network.
        const isHidden = error.kind === 'address' && findUrlError(url, policy) === null
        return { status: null, error: isHidden ? 'Its name does not lead to a public address.' : error.message }
      }
    },
  }
}

function faultOf(status: number): string | null {
  if (status >= 200 && status < 300) return null
  return status >= 300 && status < 400 ? `It redirects (${status}), and redirects are not followed.` : `It answered with ${status}.`
}
