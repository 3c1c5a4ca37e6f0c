import { answerTrpc } from '@/server/trpc/handle-request.ts'

export const dynamic = 'force-dynamic'

export { answerTrpc as GET, answerTrpc as POST }
