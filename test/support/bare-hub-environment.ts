import { randomSeed } from '@parley/protocol'

/** The environment of a hub that only delivers messages: a database, and addresses and keys of a chain that it never queries. */
export function bareHub(databaseUrl: string, more: Record<string, string> = {}): Record<string, string> {
  const key = `0x${'11'.repeat(32)}`
  return {
    DATABASE_URL: databaseUrl,
    CHAIN_RPC_URL: 'http://127.0.0.1:1',
    ESCROW_ADDRESS: `0x${'22'.repeat(20)}`,
    TOKEN_ADDRESS: `0x${'33'.repeat(20)}`,
    SETTLER_PRIVATE_KEY: key,
    EVALUATOR_PRIVATE_KEY: key,
    SERVER_SIGNING_KEY: randomSeed(),
    LOG_LEVEL: 'silent',
    ...more,
  }
}
