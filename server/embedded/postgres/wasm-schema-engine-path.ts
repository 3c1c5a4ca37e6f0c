import { readdirSync } from 'node:fs'
import path from 'node:path'

/** Our schema engine: the WebAssembly build over node-postgres. It applies migrations without holding up others behind their locks. */
export const wasmSchemaEnginePath = path.join(import.meta.dirname, 'schema-engine')

/** True if `folder`, that of `@prisma/engines`, has the native engine. Its install script downloads it, and `allowScripts` denies that. */
export function hasNativeEngine(folder: string): boolean {
  return readdirSync(folder).some((name) => name.startsWith('schema-engine-'))
}
