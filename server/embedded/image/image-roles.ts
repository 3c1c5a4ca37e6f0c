/** What a container image contains. Paths are relative to the checkout. */
export type ImageRole = {
  /** The programs that run in the image. */
  readonly entries: readonly string[]
  /** Folders and files that are read by path. */
  readonly folders: readonly string[]
  /** The folder with the file traces of the web build; null without a web. */
  readonly nextTraces: string | null
}

const workers = [
  'server/search/worker/search-worker.ts',
  'server/search/worker/listing-load-worker.ts',
  'server/goals/planners/quote-threads/quote-worker.ts',
  'server/markdown/worker.ts',
]

/** The images: `hub` also applies the migrations. */
export const imageRoles = {
  hub: {
    entries: [
      'server/main.ts',
      ...workers,
      'server/embedded/commands/deploy-migrations.ts',
      'node_modules/prisma/build/index.js',
      'prisma.config.ts',
      'server/embedded/postgres/prisma-schema-engine.mjs',
    ],
    folders: [
      'prisma/migrations',
      'prisma/models',
      'prisma/schema.prisma',
      'server/embedded/postgres',
      'node_modules/@prisma/schema-engine-wasm',
    ],
    nextTraces: null,
  },
  web: {
    entries: ['server/embedded/web/main.ts', ...workers],
    // Next resolves its own webpack and Babel through computed paths when it reads the configuration.
    folders: [
      ...['next.config.js', '.next', 'dist', 'protocol', 'agents/examples', 'node_modules/next/constants.js'],
      ...['node_modules/next/dist/compiled/webpack', 'node_modules/next/dist/compiled/@babel/runtime/package.json'],
    ],
    nextTraces: '.next',
  },
} as const satisfies Record<string, ImageRole>

/** A name of an image. */
export type ImageName = keyof typeof imageRoles
