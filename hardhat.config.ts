import { createRequire } from 'node:module'
import toolbox from '@nomicfoundation/hardhat-toolbox-viem'
import { defineConfig } from 'hardhat/config'

const require = createRequire(import.meta.url)

const solc = {
  version: require('solc/package.json').version as string,
  path: require.resolve('solc/soljson.js'), // the npm package, so that building downloads nothing
  settings: {
    evmVersion: 'cancun', // transient storage, for the lock
    viaIR: true,
    optimizer: { enabled: true, runs: 200 }, // with more, PlanEscrow outgrows the 24,576 bytes a contract may have
    metadata: { bytecodeHash: 'none' as const }, // a comment must not change the committed bytecode
  },
}

// Called for every payment, and small enough: these two are built for the cheapest call.
const cheapest = { ...solc, settings: { ...solc.settings, optimizer: { enabled: true, runs: 1_000_000 } } }
const contracts = {
  compilers: [solc],
  overrides: { 'contracts/VoucherChannels.sol': cheapest, 'contracts/EpochPayouts.sol': cheapest },
}

export default defineConfig({
  plugins: [toolbox],
  solidity: {
    profiles: {
      default: contracts,
      production: contracts, // what is tested is what is committed and deployed
    },
  },
  paths: { sources: 'contracts', ignition: 'contracts/deploy', tests: { solidity: 'test/contracts/invariants' } },
  networks: {
    node: { type: 'edr-simulated', chainType: 'l1', chainId: 31337 },
    local: { type: 'http', chainType: 'l1', url: process.env.CHAIN_RPC_URL ?? 'http://127.0.0.1:8545' },
  },
  test: {
    solidity: {
      profiles: {
        default: { fuzz: { runs: 256, seed: '0x1' }, invariant: { runs: 8, depth: 128, failOnRevert: true } },
        // `npx hardhat test solidity --test-profile soak`: a million calls of the escrow, an hour or so.
        soak: { fuzz: { runs: 10_000 }, invariant: { runs: 2000, depth: 500, failOnRevert: true } },
      },
    },
  },
})
