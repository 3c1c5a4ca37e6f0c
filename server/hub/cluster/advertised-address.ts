import { networkInterfaces } from 'node:os'
import type { Environment } from '../../env.ts'

const everywhere = new Set(['0.0.0.0', '::'])

/** Where others reach a hub, by the port that it listens on; nothing where they are not to. */
export function advertisedUrlOf({ HUB_LINK_URL: url, HUB_HOST: host }: Environment): ((port: number) => string) | undefined {
  return url === 'none' ? undefined : (port) => url ?? advertisedAddress(host, port)
}

/** Where other hubs reach one that listens on `host`; on every address: at the first of this machine's that others can see. */
export function advertisedAddress(host: string, port: number, interfaces = networkInterfaces()): string {
  const seen = Object.values(interfaces)
    .flat()
    .find((one) => one && !one.internal && one.family === 'IPv4')?.address
  const reached = everywhere.has(host) ? (seen ?? '127.0.0.1') : host
  return `ws://${reached.includes(':') ? `[${reached}]` : reached}:${port}`
}
