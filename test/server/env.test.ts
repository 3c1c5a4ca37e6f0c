import { describe, expect, it } from 'vitest'
import { readEnvironment } from '../../server/env.ts'

const key = `0x${'1'.repeat(64)}`
const given = {
  DATABASE_URL: 'postgresql://parley@localhost/parley',
  CHAIN_RPC_URL: 'http://localhost:8545',
  ESCROW_ADDRESS: `0x${'a'.repeat(40)}`,
  TOKEN_ADDRESS: `0x${'b'.repeat(40)}`,
  SETTLER_PRIVATE_KEY: key,
  EVALUATOR_PRIVATE_KEY: key,
  SERVER_SIGNING_KEY: '2'.repeat(64),
}

function messageOf(source: Record<string, string | undefined>): string {
  try {
    readEnvironment(source)
    return ''
  } catch (error) {
    return error instanceof Error ? error.message : ''
  }
}

describe('readEnvironment', () => {
  it('names everything that is missing or wrong at once', () => {
    const message = messageOf({ ...given, DATABASE_URL: 'mysql://x', CHAIN_RPC_URL: undefined, FEE_BPS: '1001', HUB_PORT: '70000' })
    for (const name of ['DATABASE_URL', 'CHAIN_RPC_URL', 'FEE_BPS', 'HUB_PORT']) expect(message).toMatch(new RegExp(`^  ${name}: `, 'm'))
    expect(message).not.toContain('ESCROW_ADDRESS')
    expect(message).toContain('.env.example')
  })

  it('tells no secret when one is malformed', () => {
    const secret = `${'3'.repeat(63)}z`
    for (const name of ['SERVER_SIGNING_KEY', 'SETTLER_PRIVATE_KEY', 'EVALUATOR_PRIVATE_KEY']) {
      const message = messageOf({ ...given, [name]: secret })
      expect(message).toContain(name)
      expect(message).not.toContain(secret)
    }
    expect(messageOf({ ...given, DATABASE_URL: 'mysql://parley:open-sesame@localhost/x' })).not.toContain('open-sesame')
  })

  it('fills in what has a default, reads numbers, and takes an empty text for nothing', () => {
    const env = readEnvironment({ ...given, FEE_BPS: '300', HUB_PORT: '', FEE_ADDRESS: '', SOMETHING_ELSE: 'x' })
    expect(env).toMatchObject({ FEE_BPS: 300, HUB_PORT: 4_000, CHAIN_ID: 31_337, HUB_HOST: '127.0.0.1', LOG_LEVEL: 'info' })
    expect(env.FEE_ADDRESS).toBeUndefined()
    expect(env).not.toHaveProperty('SOMETHING_ELSE')
  })

  it('can’t be changed afterwards', () => {
    const env = readEnvironment(given) as { FEE_BPS: number }
    expect(() => {
      env.FEE_BPS = 0
    }).toThrow(TypeError)
  })
})
