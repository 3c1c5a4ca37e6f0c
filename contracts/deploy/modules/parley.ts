/**
 * The same deployment as `deployContracts`, with Hardhat Ignition's journal: for chains that outlive a run. The channels
 * come after it, so that the others have the same addresses either way.
 */
import { buildModule } from '@nomicfoundation/hardhat-ignition/modules'

export default buildModule('Parley', (m) => {
  const token = m.contract('TestUSDC')
  const escrow = m.contract('PlanEscrow', [[token]])
  const jobs = m.contract('JobEscrow8183', [escrow, token])
  const channels = m.contract('VoucherChannels', [], { after: [jobs] })
  return { token, escrow, jobs, channels }
})
