import { WebSocket as PackageWebSocket } from 'ws'

/** Opens a WebSocket of the platform, or of the package `ws` on Node 20, whose platform has none. */
export function openWebSocket(url: string): WebSocket {
  const { WebSocket: PlatformWebSocket } = globalThis as { WebSocket?: typeof WebSocket }
  // The package's class has the events and the constants that the client uses; its other types differ.
  return PlatformWebSocket ? new PlatformWebSocket(url) : (new PackageWebSocket(url) as unknown as WebSocket)
}
