// The cluster's proxy as its own process. Its only argument is the JSON of `ProxyOptions`.
import { type ProxyOptions, startReverseProxy } from './reverse-proxy.ts'

// Our own command wrote this argument.
const proxy = await startReverseProxy(JSON.parse(process.argv[2] ?? '{}') as ProxyOptions)
for (const name of ['SIGTERM', 'SIGINT'] as const) process.on(name, () => void proxy.close().then(() => process.exit(0)))
