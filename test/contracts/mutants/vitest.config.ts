import path from 'node:path'
import { defineConfig } from 'vitest/config'

/** The proof alone, on the in-memory chain: no database, nothing that needs a build of its own. */
export default defineConfig({
  root: path.join(import.meta.dirname, '../../..'),
  // What is beside the contracts, wherever the packages were installed.
  resolve: { alias: { '@parley/protocol': path.join(import.meta.dirname, '../../../protocol/src/index.ts') } },
  test: {
    include: ['test/contracts/{attacks,model}/*.test.ts', 'test/contracts/*.test.ts'],
    // Of the committed build and its gas, not of what it does.
    exclude: ['test/contracts/{compiled,gas,gas-*,test-usdc,plan-slot}.test.ts'],
    environment: 'node',
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 300_000,
    hookTimeout: 120_000,
  },
})
