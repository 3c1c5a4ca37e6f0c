import { answerTrpc } from '@/server/trpc/answer.ts'

export const dynamic = 'force-dynamic'

export { answerTrpc as GET, answerTrpc as POST }
