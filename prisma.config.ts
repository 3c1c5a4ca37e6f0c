import fs from 'node:fs'
import path from 'node:path'
import { defineConfig } from 'prisma/config'
import { hasNativeEngine, wasmSchemaEnginePath } from './server/embedded/postgres/wasm-schema-engine-path.ts'

// Without it Prisma would download its native engine.
if (!hasNativeEngine(path.join(import.meta.dirname, 'node_modules/@prisma/engines')))
  process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= wasmSchemaEnginePath
process.env.CHECKPOINT_DISABLE ??= '1'
process.env.PRISMA_HIDE_UPDATE_MESSAGE ??= '1'

// Written by `npm start`, so that Prisma's commands typed manually reach the database that runs.
const running = path.join(import.meta.dirname, '.parley/database-url')
const url = process.env.DATABASE_URL ?? (fs.existsSync(running) ? fs.readFileSync(running, 'utf8').trim() : undefined)

export default defineConfig({
  schema: 'prisma',
  migrations: { path: 'prisma/migrations' },
  datasource: { url: url ?? 'postgresql://parley@127.0.0.1:54329/parley' },
})
