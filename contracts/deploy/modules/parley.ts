/** The same deployment as `deployContracts`, with Hardhat Ignition's journal: for chains that outlive a run. */
import { buildModule } from '@nomicfoundation/hardhat-ignition/modules'

export default buildModule('Parley', (m) => {
  const token = m.contract('TestUSDC')
  const escrow = m.contract('PlanEscrow', [[token]])
  return { token, escrow }
})
