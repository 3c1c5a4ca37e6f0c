// `npm run deploy -- --chain base-sepolia --dry-run`: the contracts on a real chain. See docs/operations/real-chain.md.
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { type Address, formatEther, type Hex, isAddress } from 'viem'
import { type ChainPreset, chainPresets } from './chain-presets.ts'
import { checkDeployment, type DeploymentReport, deployByCreate2 } from './create2.ts'
import { compilerVersion, solcStandardInput } from './solc-standard-input.ts'

const writeLine = (line: string) => process.stdout.write(`${line}\n`)

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      chain: { type: 'string' },
      'dry-run': { type: 'boolean', default: false },
      token: { type: 'string' },
      out: { type: 'string' },
    },
  })
  const preset = chainPresets.find((one) => one.slug === values.chain || String(one.chainId) === values.chain)
  const chainId = preset?.chainId ?? Number(values.chain)
  if (!Number.isSafeInteger(chainId) || chainId <= 0)
    throw new Error(`Name a chain: --chain ${chainPresets.map((one) => one.slug).join(', ')}, or the id of another one.`)
  const token = values.token ?? preset?.usdc
  if (token === undefined || !isAddress(token)) throw new Error(`There is no preset of chain ${chainId}: name its token by --token 0x….`)
  const { CHAIN_RPC_URL: rpcUrl, DEPLOYER_PRIVATE_KEY: privateKey } = process.env
  if (!rpcUrl) throw new Error('CHAIN_RPC_URL is missing: the address of a node of that chain.')
  const input = { rpcUrl, chainId, token: token as Address, privateKey: privateKey as Hex | undefined }
  const report = await (values['dry-run'] ? checkDeployment(input) : deployByCreate2({ ...input, privateKey: keyOf(privateKey) }))
  print(report, preset)
  writeInputs(report, values.out ?? path.join('.parley', 'verification', String(chainId)))
  if (report.problems.length > 0) process.exitCode = 1
}

function keyOf(privateKey: string | undefined): Hex {
  if (privateKey === undefined || !/^0x[0-9a-fA-F]{64}$/.test(privateKey))
    throw new Error('DEPLOYER_PRIVATE_KEY is missing: it pays for the deployment and has no power afterwards. Add --dry-run to look only.')
  return privateKey as Hex
}

function print({ chainId, token, deployer, balance, steps, cost, problems }: DeploymentReport, preset: ChainPreset | undefined): void {
  const symbol = preset?.nativeSymbol ?? 'ETH'
  writeLine(`chain     ${preset?.name ?? 'no preset'} (${chainId})\ntoken     ${token}`)
  for (const { name, address, initCodeHash, stands, gas } of steps) {
    writeLine(`\n${name}\n  address         ${address}\n  init code hash  ${initCodeHash}`)
    writeLine(`  gas             ${stands ? 'none: it stands already' : (gas ?? 'not known')}`)
    if (preset) writeLine(`  explorer        ${preset.explorer}/address/${address}`)
  }
  writeLine(`\ncost      at most ${formatEther(cost)} ${symbol}`)
  writeLine(deployer === null ? 'deployer  none given' : `deployer  ${deployer} holds ${formatEther(balance ?? 0n)} ${symbol}`)
  for (const problem of problems) writeLine(`PROBLEM   ${problem}`)
  if (steps.every((step) => step.stands)) writeLine(`\nESCROW_ADDRESS=${steps[0]?.address}\nCHANNELS_ADDRESS=${steps[1]?.address}`)
}

function writeInputs({ steps }: DeploymentReport, folder: string): void {
  mkdirSync(folder, { recursive: true })
  for (const { name, file } of steps)
    writeFileSync(path.join(folder, `${name}.json`), `${JSON.stringify(solcStandardInput(file), null, 2)}\n`)
  writeLine(`\nFor the explorer's verification (standard JSON input, compiler ${compilerVersion}): ${folder}/`)
}

await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
})
process.disconnect?.()
