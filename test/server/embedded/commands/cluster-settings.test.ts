import { describe, expect, it } from 'vitest'
import { readClusterSettings, table } from '../../../../server/embedded/commands/cluster-settings.ts'

describe('readClusterSettings', () => {
  it('is three hubs and two webs without options', () => {
    expect(readClusterSettings([])).toEqual({ hubs: 3, webs: 2, port: 3000, nats: 'auto', agents: true })
    expect(readClusterSettings(['--hubs', '1', '--webs=0', '--nats', '--no-agents', '--port', '3100'])).toEqual({
      hubs: 1,
      webs: 0,
      port: 3100,
      nats: 'yes',
      agents: false,
    })
    expect(readClusterSettings(['--no-nats']).nats).toBe('no')
  })

  it.each([['--hubs', '0'], ['--hubs', '10'], ['--webs', 'two'], ['--port', '70000'], ['--more'], ['what']])(
    'refuses %s %s in a sentence',
    (...args) => {
      expect(() => readClusterSettings(args)).toThrow(/--hubs|--webs|--port/)
    },
  )
})

describe('table', () => {
  it('keeps its columns', () => {
    expect(
      table([
        ['a', 'long', 'x'],
        ['bb', 'c', ''],
      ]),
    ).toBe('  a   long  x\n  bb  c')
  })
})
