import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { readHome, readSettings } from '../../../../server/embedded/commands/start-settings.mjs'

describe('readSettings', () => {
  it('is all on loopback and embedded without options', () => {
    expect(readSettings([], {})).toMatchObject({
      webPort: 3000,
      webHost: '127.0.0.1',
      hubPort: 4000,
      hubHost: '127.0.0.1',
      publicUrl: 'http://localhost:3000',
      hubUrl: 'http://localhost:4000',
      databaseUrl: undefined,
      chain: undefined,
    })
  })

  it('makes the addresses from the ports, unless they are given', () => {
    expect(readSettings([], { PORT: '3001', HUB_PORT: '4001' })).toMatchObject({
      publicUrl: 'http://localhost:3001',
      hubUrl: 'http://localhost:4001',
    })
    expect(readSettings([], { PORT: '3001', PUBLIC_URL: 'https://parley.example' }).publicUrl).toBe('https://parley.example')
  })

  it.each(['0', '65536', '80x', '-1', '3.5'])('refuses the port %s', (port) => {
    expect(() => readSettings([], { HUB_PORT: port })).toThrow(/HUB_PORT=.* is not a port/)
  })

  it('refuses one port for both, and an argument that it does not know', () => {
    expect(() => readSettings([], { PORT: '4000' })).toThrow(/cannot both have port 4000/)
    expect(() => readSettings(['--fresh'], {})).toThrow(/does not know "--fresh"/)
  })

  it('names all that a chain of your own needs', () => {
    expect(() => readSettings([], { CHAIN_RPC_URL: 'https://rpc.example', CHAIN_ID: '31337' })).toThrow(
      /ESCROW_ADDRESS, TOKEN_ADDRESS, SETTLER_PRIVATE_KEY, EVALUATOR_PRIVATE_KEY/,
    )
    expect(() => readSettings([], { CHAIN_RPC_URL: 'https://rpc.example', CHAIN_ID: '8453' })).toThrow(
      /ESCROW_ADDRESS, SIGNER_URL, SIGNER_TOKEN, SETTLER_ADDRESS, EVALUATOR_ADDRESS, PLATFORM_FEE_ADDRESS/,
    )
  })

  it('does not pretend to make your own database fresh', () => {
    expect(() => readSettings(['--fresh-chain'], { DATABASE_URL: 'postgresql://db.example/x' })).toThrow(/does not touch your own/)
  })
})

describe('readHome', () => {
  it('is the checkout’s own folder unless another is named, and takes nothing from the settings', () => {
    const root = path.resolve('/checkout')
    expect(readHome(root, [])).toBe(path.join(root, '.parley'))
    expect(readHome(root, ['--home=.parley/demo', '--fresh-chain'])).toBe(path.join(root, '.parley/demo'))
    expect(readHome(root, ['--home='])).toBe(path.join(root, '.parley'))
    expect(readSettings(['--home=.parley/demo'], {})).toEqual(readSettings([], {}))
  })
})
