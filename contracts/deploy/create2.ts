/** Deployment by CREATE2: the same addresses on every chain, for every sender, from the committed bytecode. */
import {
  type Address,
  concat,
  createPublicClient,
  encodeDeployData,
  getContractAddress,
  type Hex,
  http,
  keccak256,
  type PublicClient,
  toHex,
} from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { planEscrowAbi, planEscrowBytecode, voucherChannelsAbi, voucherChannelsBytecode } from '../abi/index.ts'

/** The deterministic deployment proxy, which stands on all chains of the presets and on anvil. */
export const deploymentProxy: Address = '0x4e59b44847b379578588920cA78FbF26c0B4956C'
const salt = keccak256(toHex('parley'))

export type PlannedContract = {
  readonly name: 'PlanEscrow' | 'VoucherChannels'
  /** From the root of the repository. */
  readonly file: string
  readonly address: Address
  /** With the constructor's arguments. */
  readonly initCode: Hex
  readonly initCodeHash: Hex
}
/** `gas`: null for one that stands already. */
export type DeploymentStep = PlannedContract & { readonly stands: boolean; readonly gas: bigint | null }
export type DeploymentReport = {
  readonly chainId: number
  readonly token: Address
  readonly deployer: Address | null
  readonly balance: bigint | null
  readonly steps: readonly DeploymentStep[]
  /** All of them together at the present price, doubled for its rise, wei. */
  readonly cost: bigint
  /** What keeps the deployment from succeeding, a sentence each. */
  readonly problems: readonly string[]
}

/** What is deployed where. The escrow's address follows from the token that it takes. */
export function planDeployment(token: Address): readonly PlannedContract[] {
  const planned = (name: PlannedContract['name'], initCode: Hex): PlannedContract => ({
    name,
    file: `contracts/${name}.sol`,
    address: getContractAddress({ opcode: 'CREATE2', from: deploymentProxy, salt, bytecode: initCode }),
    initCode,
    initCodeHash: keccak256(initCode),
  })
  return [
    planned('PlanEscrow', encodeDeployData({ abi: planEscrowAbi, bytecode: planEscrowBytecode, args: [[token]] })),
    planned('VoucherChannels', encodeDeployData({ abi: voucherChannelsAbi, bytecode: voucherChannelsBytecode })),
  ]
}

export type DeployInput = {
  readonly rpcUrl: string
  readonly chainId: number
  readonly token: Address
  readonly privateKey?: Hex | undefined
}

/** Looks, and sends nothing. */
export async function checkDeployment({ rpcUrl, chainId, token, privateKey }: DeployInput): Promise<DeploymentReport> {
  const client = createPublicClient({ transport: http(rpcUrl) })
  const actual = await client.getChainId()
  const deployer = privateKey ? privateKeyToAccount(privateKey).address : null
  const hasCode = async (address: Address) => (await client.getCode({ address })) !== undefined
  const [hasProxy, hasToken] = [await hasCode(deploymentProxy), await hasCode(token)]
  const steps: DeploymentStep[] = []
  for (const contract of planDeployment(token)) {
    const stands = await hasCode(contract.address)
    const call = { account: deployer ?? deploymentProxy, to: deploymentProxy, data: concat([salt, contract.initCode]) }
    steps.push({ ...contract, stands, gas: stands || !hasProxy || !hasToken ? null : await client.estimateGas(call) })
  }
  const gas = steps.reduce((sum, step) => sum + (step.gas ?? 0n), 0n)
  const cost = gas * (await client.getGasPrice()) * 2n
  const balance = deployer ? await client.getBalance({ address: deployer }) : null
  const problems = [
    ...(actual === chainId ? [] : [`The node is of chain ${actual}, and chain ${chainId} was asked for.`]),
    ...(hasProxy ? [] : [`The deployment proxy ${deploymentProxy} does not stand on this chain.`]),
    ...(hasToken ? [] : [`No contract stands at the token's address ${token}.`]),
    ...(balance === null || balance >= cost ? [] : [`The deployer ${deployer} holds ${balance} wei, and it may cost ${cost}.`]),
  ]
  return { chainId: actual, token, deployer, balance, steps, cost, problems }
}

/** Deploys what does not stand yet, one after another. Repeating it changes nothing. @throws {Error} where `checkDeployment` finds a problem */
export async function deployByCreate2(input: DeployInput & { readonly privateKey: Hex }): Promise<DeploymentReport> {
  const { problems, steps } = await checkDeployment(input)
  if (problems.length > 0) throw new Error(problems.join('\n'))
  const client = createPublicClient({ transport: http(input.rpcUrl), pollingInterval: 200 })
  const account = privateKeyToAccount(input.privateKey)
  for (const step of steps) if (!step.stands) await send(client, account, { chainId: input.chainId, step })
  return checkDeployment(input)
}

async function send(
  client: PublicClient,
  account: PrivateKeyAccount,
  { chainId, step }: { chainId: number; step: DeploymentStep },
): Promise<void> {
  const [nonce, fees] = await Promise.all([client.getTransactionCount({ address: account.address }), client.estimateFeesPerGas()])
  const { maxFeePerGas, maxPriorityFeePerGas } = fees
  const gas = ((step.gas ?? 0n) * 12n) / 10n
  const data = concat([salt, step.initCode])
  const raw = await account.signTransaction({
    type: 'eip1559',
    chainId,
    nonce,
    to: deploymentProxy,
    data,
    gas,
    maxFeePerGas,
    maxPriorityFeePerGas,
  })
  const hash = await client.sendRawTransaction({ serializedTransaction: raw })
  const { status } = await client.waitForTransactionReceipt({ hash })
  const code = await client.getCode({ address: step.address })
  if (status !== 'success' || code === undefined) throw new Error(`${step.name} was not created at ${step.address} by ${hash}.`)
}
