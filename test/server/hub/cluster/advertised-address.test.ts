import type { NetworkInterfaceInfo } from 'node:os'
import { expect, it } from 'vitest'
import { readEnvironment } from '../../../../server/env.ts'
import { advertisedAddress, advertisedUrlOf } from '../../../../server/hub/cluster/advertised-address.ts'
import { bareHub } from '../../../support/bare-hub-environment.ts'

const one = (address: string, family: 'IPv4' | 'IPv6', internal = false) => ({ address, family, internal }) as NetworkInterfaceInfo

it('is the address that the hub listens on; of one that listens everywhere, the first that others see', () => {
  const interfaces = {
    lo: [one('127.0.0.1', 'IPv4', true)],
    eth0: [one('fe80::1', 'IPv6'), one('10.0.0.5', 'IPv4')],
    eth1: [one('10.1.0.5', 'IPv4')],
  }
  const addressOf = (host: string) => advertisedAddress(host, 4000, interfaces)
  expect(['10.9.9.9', 'hub-1', '::1', '0.0.0.0', '::'].map(addressOf)).toEqual([
    'ws://10.9.9.9:4000',
    'ws://hub-1:4000',
    'ws://[::1]:4000',
    'ws://10.0.0.5:4000',
    'ws://10.0.0.5:4000',
  ])
  expect(advertisedAddress('0.0.0.0', 4000, { lo: interfaces.lo })).toBe('ws://127.0.0.1:4000')
})

it('is what the operator says, and nowhere where that is none', () => {
  const read = (more: Record<string, string>) => advertisedUrlOf(readEnvironment(bareHub('postgresql://nowhere', more)))
  expect(read({})?.(4000)).toBe('ws://127.0.0.1:4000')
  expect(read({ HUB_PEER_URL: 'wss://hub-1.internal:7443' })?.(4000)).toBe('wss://hub-1.internal:7443')
  expect(read({ HUB_PEER_URL: 'none' })).toBe(undefined)
  for (const wrong of ['hub-1', 'https://hub-1', 'ws://hub-1/path'])
    expect(() => read({ HUB_PEER_URL: wrong }), wrong).toThrow('HUB_PEER_URL')
})
