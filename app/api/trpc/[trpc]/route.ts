import { handleTrpcRequest } from '@/server/trpc/handle-request.ts'

export const dynamic = 'force-dynamic'

export { handleTrpcRequest as GET, handleTrpcRequest as POST }
