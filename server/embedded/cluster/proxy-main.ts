// The cluster's proxy as a process of its own. Its one argument is what `startProxy` takes, as JSON.
import { type ProxyOptions, startProxy } from './proxy.ts'

// What is written there was written by our own start.
const proxy = await startProxy(JSON.parse(process.argv[2] ?? '{}') as ProxyOptions)
for (const name of ['SIGTERM', 'SIGINT'] as const) process.on(name, () => void proxy.close().then(() => process.exit(0)))
