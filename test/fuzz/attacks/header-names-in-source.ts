/** Request headers that the product's source names anywhere, and those that proxies and gateways write. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { root } from '../../../server/embedded/processes/run-script.ts'

const folders = ['server', 'app', 'protocol/src', 'agents']
const files = ['proxy.ts', 'instrumentation.ts', 'next.config.js']
/** They frame the message: another value is another message. */
const framing = new Set([
  'content-length',
  'transfer-encoding',
  'content-type',
  'host',
  'connection',
  'content-encoding',
  'expect',
  'upgrade',
  'trailer',
])
/** Proxies, platforms and frameworks take them as the truth about a client, a path or a user. */
const wellKnown = [
  ...['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-forwarded-port', 'forwarded', 'x-real-ip', 'x-client-ip', 'via'],
  ...['cf-connecting-ip', 'true-client-ip', 'fly-client-ip', 'x-cluster-client-ip', 'x-remote-addr', 'x-original-url', 'x-rewrite-url'],
  ...[
    'x-http-method-override',
    'x-user',
    'x-user-id',
    'x-remote-user',
    'x-middleware-subrequest',
    'x-invoke-path',
    'x-nonce',
    'next-action',
  ],
  ...[
    'x-parley-actor',
    'x-parley-role',
    'x-parley-agent',
    'x-parley-did',
    'x-parley-operator',
    'x-parley-internal',
    'x-internal',
    'x-admin',
  ],
]

function* sources(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const at = path.join(folder, entry.name)
    if (entry.isDirectory() && entry.name !== 'node_modules') yield* sources(at)
    else if (/\.(ts|tsx|mjs|js)$/.test(entry.name)) yield at
  }
}

const named = [
  /headers(?:\(\))?\s*(?:\)\s*)?(?:\?\.|\.)(?:get|has|set|delete)\(\s*['"]([\w-]+)['"]/g,
  /headers(?:\?\.)?\[\s*['"]([\w-]+)['"]\s*\]/g,
  /['"](x-[a-z][a-z0-9-]+)['"]/g,
  /\w+Header\s*=\s*['"]([a-z][a-z0-9-]+)['"]/g,
]

export function sourceHeaders(product = root): string[] {
  const all = [...folders.flatMap((folder) => [...sources(path.join(product, folder))]), ...files.map((file) => path.join(product, file))]
  const found = all.flatMap((file) => {
    const text = readFileSync(file, 'utf8')
    return named.flatMap((pattern) => [...text.matchAll(pattern)].map(([, name = '']) => name.toLowerCase()))
  })
  return [...new Set([...found, ...wellKnown])].filter((name) => !framing.has(name)).sort()
}
