import { handleMailUnsubscribeRequest } from '../../../server/webhooks/index.ts'

export const dynamic = 'force-dynamic'

export function GET(request: Request): Promise<Response> {
  return handleMailUnsubscribeRequest(request)
}

export function POST(request: Request): Promise<Response> {
  return handleMailUnsubscribeRequest(request)
}
