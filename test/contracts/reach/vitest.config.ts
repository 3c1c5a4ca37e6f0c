import path from 'node:path'
import { configDefaults, defineConfig, mergeConfig } from 'vitest/config'
import proof from '../mutants/vitest.config.ts'

/** Every test of a contract by its entry points; the model and the fuzz reach what these reach. */
export default mergeConfig(
  { ...proof, test: { ...proof.test, include: [], exclude: [] } },
  defineConfig({
    root: path.join(import.meta.dirname, '../../..'),
    test: {
      include: ['test/contracts/**/*.test.ts'],
      exclude: [
        ...configDefaults.exclude,
        'test/contracts/{compiled,gas-*,plan-slot}.test.ts',
        'test/contracts/{invariants,model,mutants,reach}/**',
      ],
    },
  }),
)
