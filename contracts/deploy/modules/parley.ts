/**
 * The same deployment as `deployContracts`, of the same committed bytecode, with Hardhat Ignition's journal: for chains
 * that outlive a run. The channels come after it, so that the others have the same addresses either way.
 */
import { buildModule } from '@nomicfoundation/hardhat-ignition/modules'
import type { Abi, Hex } from 'viem'
import { planEscrowAbi, planEscrowBytecode } from '../../abi/plan-escrow.ts'
import { testUsdcAbi, testUsdcBytecode } from '../../abi/test-usdc.ts'
import { voucherChannelsAbi, voucherChannelsBytecode } from '../../abi/voucher-channels.ts'

/** A contract as Ignition wants it, which makes its journal from it. */
const artifact = <const A extends Abi>(contractName: string, abi: A, bytecode: Hex) => ({
  _format: 'hh3-artifact-1',
  contractName,
  sourceName: `contracts/${contractName}.sol`,
  abi,
  bytecode,
  deployedBytecode: '0x',
  linkReferences: {},
  deployedLinkReferences: {},
})

export default buildModule('Parley', (m) => {
  const token = m.contract('TestUSDC', artifact('TestUSDC', testUsdcAbi, testUsdcBytecode))
  const escrow = m.contract('PlanEscrow', artifact('PlanEscrow', planEscrowAbi, planEscrowBytecode), [[token]])
  const channels = m.contract('VoucherChannels', artifact('VoucherChannels', voucherChannelsAbi, voucherChannelsBytecode), [], {
    after: [escrow],
  })
  return { token, escrow, channels }
})
