import { describe, expect, it } from 'vitest'
import { chainPresets } from '../../contracts/deploy/chain-presets.ts'
import { readEnvironment } from '../../server/env.ts'
import { maxPauseMs } from '../../server/jobs/index.ts'

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
    const message = messageOf({
      ...given,
      DATABASE_URL: 'mysql://x',
      CHAIN_RPC_URL: undefined,
      PLATFORM_FEE_BPS: '1001',
      HUB_PORT: '70000',
    })
    for (const name of ['DATABASE_URL', 'CHAIN_RPC_URL', 'PLATFORM_FEE_BPS', 'HUB_PORT'])
      expect(message).toMatch(new RegExp(`^  ${name}: `, 'm'))
    expect(message).not.toContain('ESCROW_ADDRESS')
    expect(message).toContain('.env.example')
  })

  it('refuses an operator that is no address, and takes several in any case', () => {
    const [one, other] = [`0x${'aB'.repeat(20)}`, `0x${'cD'.repeat(20)}`]
    for (const wrong of ['alice', one.slice(0, -1), `${one} ${other}`, `${one},bob`])
      expect(messageOf({ ...given, OPERATOR_WALLETS: wrong })).toContain('OPERATOR_WALLETS')
    for (const right of [one, `${one},${other}`, ` ${one} , ${other},`])
      expect(messageOf({ ...given, OPERATOR_WALLETS: right }), right).toBe('')
  })

  it('reveals no secret when one is malformed', () => {
    const secret = `${'3'.repeat(63)}z`
    for (const name of ['SERVER_SIGNING_KEY', 'SETTLER_PRIVATE_KEY', 'EVALUATOR_PRIVATE_KEY']) {
      const message = messageOf({ ...given, [name]: secret })
      expect(message).toContain(name)
      expect(message).not.toContain(secret)
    }
    expect(messageOf({ ...given, DATABASE_URL: 'mysql://parley:open-sesame@localhost/x' })).not.toContain('open-sesame')
  })

  it('fills in what has a default, reads numbers, and takes an empty text for nothing', () => {
    const env = readEnvironment({ ...given, PLATFORM_FEE_BPS: '300', HUB_PORT: '', PLATFORM_FEE_ADDRESS: '', SOMETHING_ELSE: 'x' })
    expect(env).toMatchObject({ PLATFORM_FEE_BPS: 300, HUB_PORT: 4_000, CHAIN_ID: 31_337, HUB_HOST: '127.0.0.1', LOG_LEVEL: 'info' })
    expect(env.PLATFORM_FEE_ADDRESS).toBeUndefined()
    expect(env).not.toHaveProperty('SOMETHING_ELSE')
  })

  describe('of a chain', () => {
    const { SETTLER_PRIVATE_KEY: _settler, EVALUATOR_PRIVATE_KEY: _evaluator, ...keyless } = given
    const at = `0x${'c'.repeat(40)}`
    const real = {
      ...keyless,
      CHAIN_ID: '8453',
      CHAIN_CONFIRMATIONS: '12',
      SIGNER_URL: 'https://signer.example',
      SIGNER_TOKEN: 'x'.repeat(16),
      SETTLER_ADDRESS: at,
      EVALUATOR_ADDRESS: at,
      PLATFORM_FEE_ADDRESS: `0x${'f'.repeat(40)}`,
    }

    it('takes keys from the environment on a local one only', () => {
      expect(messageOf(real)).toBe('')
      expect(messageOf(given)).toBe('')
      for (const role of ['SETTLER', 'EVALUATOR', 'ARBITRATOR'])
        expect(messageOf({ ...real, [`${role}_ADDRESS`]: '', [`${role}_PRIVATE_KEY`]: key })).toMatch(
          new RegExp(`${role}_PRIVATE_KEY: keys in the environment are for a local chain only`),
        )
    })

    it.each([
      ['a role without a key', { EVALUATOR_ADDRESS: '' }, 'EVALUATOR_ADDRESS: is missing'],
      ['a wallet without its owner', { ARBITRATOR_WALLET: at }, 'ARBITRATOR_ADDRESS: is missing'],
      ['a key at no signer', { SIGNER_URL: '', SIGNER_TOKEN: '' }, 'SIGNER_URL: is missing'],
      ['a signer without a token', { SIGNER_TOKEN: '' }, 'SIGNER_TOKEN: is missing'],
      ['a token in the clear over a network', { SIGNER_URL: 'http://signer.example' }, 'SIGNER_URL: has to be https'],
      ['fees that nobody is named for', { PLATFORM_FEE_ADDRESS: '' }, 'PLATFORM_FEE_ADDRESS: is missing'],
      [
        'fees to the settler',
        { PLATFORM_FEE_ADDRESS: at.toUpperCase().replace('X', 'x') },
        'PLATFORM_FEE_ADDRESS: has to differ from SETTLER_ADDRESS',
      ],
      ['a chain of no known price without a ceiling', { CHAIN_ID: '424242' }, 'CHAIN_MAX_FEE_PER_GAS: is missing'],
      [
        'a nonce given up before more was offered',
        { CHAIN_CANCEL_AFTER_SECONDS: '15', CHAIN_REPLACE_AFTER_SECONDS: '15' },
        'CHAIN_CANCEL_AFTER_SECONDS: has',
      ],
      ['a token of no chain that is known', { CHAIN_ID: '424242', TOKEN_ADDRESS: '' }, 'TOKEN_ADDRESS: is missing'],
    ])('refuses %s', (_what, change, message) => {
      expect(messageOf({ ...real, ...change })).toContain(message)
    })

    it('needs none of that on a local one, and no ceiling where a preset has one', () => {
      expect(messageOf({ ...given, CHAIN_ID: '31337' })).toBe('')
      expect(messageOf(real)).toBe('')
      expect(messageOf({ ...real, CHAIN_ID: '424242', CHAIN_MAX_FEE_PER_GAS: '2' })).toBe('')
    })

    it('knows the token of a chain with a preset, and takes a signer of this machine by any protocol', () => {
      expect(messageOf({ ...real, TOKEN_ADDRESS: '' })).toBe('')
      expect(messageOf({ ...real, SIGNER_URL: 'http://127.0.0.1:9000' })).toBe('')
      expect(
        messageOf({ ...real, ARBITRATOR_ADDRESS: at, ARBITRATOR_SIGNER_URL: 'https://a.example', ARBITRATOR_SIGNER_TOKEN: '' }),
      ).toContain('ARBITRATOR_SIGNER_TOKEN: is missing')
    })

    it('reads the limits of its fees', () => {
      const env = readEnvironment({
        ...real,
        CHAIN_MAX_FEE_PER_GAS: '0.5',
        CHAIN_MAX_TRANSACTION_FEE: '0.05',
        SETTLER_LOW_BALANCE_THRESHOLD: '1',
      })
      expect([env.CHAIN_MAX_FEE_PER_GAS, env.CHAIN_MAX_TRANSACTION_FEE, env.SETTLER_LOW_BALANCE_THRESHOLD]).toEqual([
        500_000_000n,
        50_000_000_000_000_000n,
        10n ** 18n,
      ])
      expect(messageOf({ ...real, CHAIN_MAX_FEE_PER_GAS: '0' })).toContain('CHAIN_MAX_FEE_PER_GAS')
    })
  })

  it('gives up a nonce so early that no one else waits longer than a minute', () => {
    const { CHAIN_CANCEL_AFTER_SECONDS: cancel, CHAIN_REPLACE_AFTER_SECONDS: replace } = readEnvironment(given)
    const slowestBlock = Math.max(...chainPresets.map(({ blockTimeMs }) => blockTimeMs)) / 1_000
    expect(cancel + maxPauseMs / 1_000 + slowestBlock).toBeLessThanOrEqual(60)
    expect(cancel).toBeGreaterThan(replace)
  })

  it('needs a sender with a mail server, and reads origins as a browser writes them', () => {
    const mail = { ...given, SMTP_URL: 'smtps://parley:secret@mail.example.org' }
    expect(messageOf(mail)).toContain('MAIL_FROM: is missing')
    expect(messageOf({ ...mail, MAIL_FROM: 'Parley <notifications@example.org>' })).toBe('')
    expect(messageOf({ ...mail, MAIL_FROM: 'Parley <a@example.org>\nBcc: b@example.org' })).toContain('MAIL_FROM: ')
    expect(messageOf({ ...given, SMTP_URL: 'https://mail.example.org' })).toContain('SMTP_URL: ')
    expect(readEnvironment(given).WEBHOOK_ALLOWED_ORIGINS).toEqual([])
    const origins = { ...given, WEBHOOK_ALLOWED_ORIGINS: 'http://127.0.0.1:9000,http://localhost:9001' }
    expect(readEnvironment(origins).WEBHOOK_ALLOWED_ORIGINS).toEqual(['http://127.0.0.1:9000', 'http://localhost:9001'])
    expect(messageOf({ ...given, WEBHOOK_ALLOWED_ORIGINS: 'http://127.0.0.1:9000/hook' })).toContain('is not an origin')
  })

  it('can’t be changed afterwards', () => {
    const env = readEnvironment(given) as { PLATFORM_FEE_BPS: number }
    expect(() => {
      env.PLATFORM_FEE_BPS = 0
    }).toThrow(TypeError)
  })
})
