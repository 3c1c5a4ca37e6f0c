import path from 'node:path'
import { defineConfig } from 'prisma/config'

// Prisma's native engine is a download; ours answers the same protocol from the WebAssembly build that npm installs.
process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= path.join(import.meta.dirname, 'server/embedded/schema-engine')
process.env.CHECKPOINT_DISABLE ??= '1'
process.env.PRISMA_HIDE_UPDATE_MESSAGE ??= '1'

export default defineConfig({
  schema: 'prisma',
  migrations: { path: 'prisma/migrations' },
  datasource: { url: process.env.DATABASE_URL ?? 'postgresql://parley@127.0.0.1:54329/parley' },
})
