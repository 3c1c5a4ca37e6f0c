import { networkInterfaces } from 'node:os'
import type { Environment } from '../../env.ts'

const everywhere = new Set(['0.0.0.0', '::'])

/** The URL at which other hubs reach this one, by its port; undefined if they must not. */
export function advertisedUrlOf({ HUB_PEER_URL: url, HUB_HOST: host }: Environment): ((port: number) => string) | undefined {
  return url === 'none' ? undefined : (port) => url ?? advertisedAddress(host, port)
}

/** The address to advertise for a hub that listens on `host`. For a wildcard host: the first external IPv4 address of this machine. */
export function advertisedAddress(host: string, port: number, interfaces = networkInterfaces()): string {
  const seen = Object.values(interfaces)
    .flat()
    .find((one) => one && !one.internal && one.family === 'IPv4')?.address
  const reached = everywhere.has(host) ? (seen ?? '127.0.0.1') : host
  return `ws://${reached.includes(':') ? `[${reached}]` : reached}:${port}`
}
