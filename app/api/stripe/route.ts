import { handleStripeWebhook } from '../../../server/webhooks/index.ts'

export const dynamic = 'force-dynamic'

export function POST(request: Request): Promise<Response> {
  return handleStripeWebhook(request)
}
