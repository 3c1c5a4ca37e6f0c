import { existsSync } from 'node:fs'
import path from 'node:path'
import { PHASE_PRODUCTION_SERVER } from 'next/constants.js'

const distDir = process.env.NEXT_DIST_DIR ?? '.next'
const isBuiltBefore = existsSync(path.join(import.meta.dirname, distDir, 'BUILD_ID'))

/** @type {import('next').NextConfig} */
const config = {
  // Two servers can run from one checkout, each with its own build.
  distDir,
  // Next rewrites a configuration that stands alone; one that extends another it leaves as it is.
  // `npm test` checks the whole tree, with this build's route types, after the build.
  typescript: { tsconfigPath: 'tsconfig.web.json', ignoreBuildErrors: process.env.WEB_TYPES_CHECKED === 'elsewhere' },
  transpilePackages: ['@parley/protocol', '@parley/agents'],
  serverExternalPackages: [
    'pg',
    'pino',
    'graphile-worker',
    'siwe',
    'ethers',
    'tinypool',
    'nodemailer',
    'eld',
    'stripe',
    'viem',
    'unhomoglyph',
    '@nats-io/jetstream',
    '@nats-io/transport-node',
    'csv-parse',
    'zod',
  ],
  // A goal's post carries its attachments, 8 MiB at most: the route counts them, and what is cut off before it could not.
  experimental: {
    proxyClientMaxBodySize: '9mb',
    // No one reads them: fifty megabytes, and a part of each build.
    turbopackSourceMaps: false,
    turbopackInputSourceMaps: false,
    // The cache costs a third of a build's processor time. Only a checkout that is built again gets one.
    turbopackFileSystemCacheForBuild: isBuiltBefore && !process.env.CI,
  },
  poweredByHeader: false,
  // The web process compresses, with Brotli.
  compress: false,
  reactStrictMode: true,
  // Titles and icons stand in the head for every browser. Sent later, in the body, a script moves the icons before React takes over the
  // page: it may then find other elements than it rendered, and browsers ask for an icon that is not there.
  htmlLimitedBots: /./,
  devIndicators: false,
  async redirects() {
    return [{ source: '/llms.txt', destination: '/docs/llms.txt', permanent: false }]
  },
  // Pages are rendered per request and carry a nonce; the policy that uses it is in proxy.ts.
  async headers() {
    return [
      {
        source: '/:path*',
        headers: [
          { key: 'x-content-type-options', value: 'nosniff' },
          { key: 'x-frame-options', value: 'DENY' },
          { key: 'referrer-policy', value: 'strict-origin-when-cross-origin' },
          { key: 'cross-origin-opener-policy', value: 'same-origin' },
          { key: 'permissions-policy', value: 'camera=(), microphone=(), geolocation=(), payment=(), usb=()' },
        ],
      },
    ]
  },
}

/** The built pages have their messages inside. So only builds load the plugin and its compiler. */
export default async function configure(phase) {
  if (phase === PHASE_PRODUCTION_SERVER) return config
  const { default: createNextIntlPlugin } = await import('next-intl/plugin')
  const withMessages = createNextIntlPlugin({
    requestConfig: './app/_messages/request-locale-config.ts',
    // The build parses the messages, so that no page loads a parser.
    experimental: { messages: { path: './app/_messages', locales: 'infer', format: 'json', precompile: true } },
  })
  return withMessages(config)
}
