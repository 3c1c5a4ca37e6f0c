import { takeUnsubscribe } from '../../../server/webhooks/index.ts'

export const dynamic = 'force-dynamic'

export function GET(request: Request): Promise<Response> {
  return takeUnsubscribe(request)
}

export function POST(request: Request): Promise<Response> {
  return takeUnsubscribe(request)
}
