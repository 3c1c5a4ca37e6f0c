/** Opens a WebSocket of the platform: browsers, Deno, Bun and Node from 22. */
export const openWebSocket = (url: string): WebSocket => new WebSocket(url)
