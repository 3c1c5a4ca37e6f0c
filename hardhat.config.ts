import toolbox from '@nomicfoundation/hardhat-toolbox-viem'
import { defineConfig } from 'hardhat/config'
import { cheapest, cheapestRuns, runs, settings, solc } from './contracts/abi/compile.ts'

const compiler = (optimizerRuns: number) => ({
  ...solc,
  settings: { ...settings, optimizer: { enabled: true, runs: optimizerRuns } },
})
const contracts = {
  isolated: true, // as in contracts/abi/compile.ts: one contract's code must not hang on what else is built
  compilers: [compiler(runs)],
  overrides: Object.fromEntries(cheapest.map((file) => [file, compiler(cheapestRuns)])),
}

export default defineConfig({
  plugins: [toolbox],
  solidity: {
    profiles: {
      default: contracts,
      production: contracts, // what is tested is what is committed and deployed
    },
  },
  paths: { sources: 'contracts', ignition: 'contracts/deploy' },
  networks: {
    node: { type: 'edr-simulated', chainType: 'l1', chainId: 31337 },
    local: { type: 'http', chainType: 'l1', url: process.env.CHAIN_RPC_URL ?? 'http://127.0.0.1:8545' },
  },
})
