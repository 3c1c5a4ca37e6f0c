/**
 * The stateful fuzz, with its own build: it deploys the committed bytecode, so that what it proves is what runs, and the
 * contracts need no second build beside it.
 *
 *   npx hardhat --config test/contracts/invariants/hardhat.config.ts test solidity [--test-profile thorough|soak]
 */
import { readFileSync } from 'node:fs'
import { defineConfig } from 'hardhat/config'
import { settings, solc } from '../../../contracts/abi/compile.ts'
import { planEscrowBytecode } from '../../../contracts/abi/plan-escrow.ts'
import { voucherChannelsBytecode } from '../../../contracts/abi/voucher-channels.ts'

// As in ../mutants/escrow-under-test.ts: another escrow can be put instead of the committed one, with a mutant awake.
const other = process.env.ESCROW_UNDER_TEST
const under = other ? JSON.parse(readFileSync(other, 'utf8')) : { bytecode: planEscrowBytecode, mutant: 0 }

// Read by Deploy.sol.
process.env.PLAN_ESCROW_BYTECODE = under.bytecode
process.env.PLAN_ESCROW_MUTANT = String(under.mutant)
process.env.VOUCHER_CHANNELS_BYTECODE = voucherChannelsBytecode

const invariant = { depth: 128, failOnRevert: true }

export default defineConfig({
  // Only what asks is built here, not what is deployed: the older way of the compiler takes a quarter of the time.
  solidity: { ...solc, settings: { ...settings, viaIR: false, optimizer: { enabled: true, runs: 200 } } },
  paths: {
    sources: 'contracts/interfaces',
    tests: { solidity: 'test/contracts/invariants' },
    cache: 'cache/fuzz',
    artifacts: 'artifacts/fuzz',
  },
  test: {
    solidity: {
      profiles: {
        default: { fuzz: { runs: 256, seed: '0x1' }, invariant: { ...invariant, runs: 3 } },
        // A hundred thousand calls of the escrow, some ten minutes: `npm run test:external`.
        thorough: { fuzz: { runs: 256, seed: '0x1' }, invariant: { ...invariant, runs: 40 } },
        // A million calls of the escrow, an hour or so.
        soak: { fuzz: { runs: 10_000 }, invariant: { ...invariant, runs: 2000, depth: 500 } },
      },
    },
  },
})
