import { randomBytes } from 'node:crypto'
import { randomSeed } from '@parley/protocol'
import { privateKeyToAccount } from 'viem/accounts'
import { runSql } from '../../server/embedded/postgres/postgres.ts'
import { deployedChain, startDeployedChain, type TestChain } from '../support/deployed-chain.ts'
import { startTestCluster } from '../support/postgres-cluster.ts'

/** What the containers need around them: an empty database and a chain with the contracts. */
export type BackingServices = AsyncDisposable & {
  readonly databaseUrl: string
  readonly chain: TestChain
  /** Owns the listings of the built-in agents. */
  readonly publisherKey: `0x${string}`
  /** The settings of hubs and webs behind one public address. */
  environmentFor(publicUrl: string): Record<string, string>
}

export async function startBackingServices(): Promise<BackingServices> {
  const [cluster, chain] = await Promise.all([startTestCluster({ isDurable: true }), deployedChain().then(startDeployedChain)])
  const name = `containers_${randomBytes(4).toString('hex')}`
  await runSql(cluster.admin, `create database ${name} template template0`)
  const address = new URL(cluster.admin)
  address.pathname = `/${name}`
  const [, settler = '0x', evaluator = '0x', arbitrator = '0x', publisherKey = '0x'] = chain.keys
  return {
    databaseUrl: address.href,
    chain,
    publisherKey,
    environmentFor: (publicUrl) => ({
      ...{ NODE_ENV: 'production', DATABASE_URL: address.href, PUBLIC_URL: publicUrl, HUB_URL: publicUrl, TRUSTED_PROXIES: 'loopback' },
      ...{ CHAIN_RPC_URL: chain.rpcUrl, CHAIN_ID: String(chain.chainId), ESCROW_ADDRESS: chain.escrow },
      ...{ TOKEN_ADDRESS: chain.token, CHANNELS_ADDRESS: chain.channels, SERVER_SIGNING_KEY: randomSeed() },
      ...{ SETTLER_PRIVATE_KEY: settler, EVALUATOR_PRIVATE_KEY: evaluator, ARBITRATOR_PRIVATE_KEY: arbitrator },
      ...{ BUILTIN_PUBLISHER_WALLET: privateKeyToAccount(publisherKey).address, LOG_LEVEL: 'warn' },
    }),
    async [Symbol.asyncDispose]() {
      await chain.stop()
      await cluster.stop()
    },
  }
}
