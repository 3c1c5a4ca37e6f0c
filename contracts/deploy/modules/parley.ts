/** The same deployment as `deployContracts`, with Hardhat Ignition's journal: for chains that outlive a run. */
import { buildModule } from '@nomicfoundation/hardhat-ignition/modules'

export default buildModule('Parley', (m) => {
  const token = m.contract('TestUSDC')
  const escrow = m.contract('PlanEscrow', [[token]])
  const jobs = m.contract('JobEscrow8183', [escrow, token])
  return { token, escrow, jobs }
})
