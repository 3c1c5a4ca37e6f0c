import { expect, it } from 'vitest'
import { publishedManifest, type WorkspaceManifest } from '../../../../server/embedded/packages/published-manifest.ts'

const protocol: WorkspaceManifest = {
  name: '@x/protocol',
  version: '1.2.3',
  license: 'Apache-2.0',
  exports: { '.': './src/index.ts', './schemas/*': './schemas/*' },
  dependencies: { zod: '4.0.0' },
}
const client: WorkspaceManifest = {
  name: '@x/client',
  version: '1.2.3',
  license: 'Apache-2.0',
  sideEffects: false,
  exports: { '.': './src/index.ts' },
  imports: { '#socket': { node: './src/node/socket.ts', default: './src/socket.ts' } },
  bin: { x: './src/main.ts' },
  dependencies: { '@x/protocol': '1.2.3', ws: '8.0.0' },
}

const includedProtocol = { folder: 'protocol', manifest: protocol }

it('leads to compiled files, and leaves other files where they are', () => {
  expect(publishedManifest(protocol, []).exports).toEqual({
    '.': { types: './dist/index.d.ts', default: './dist/index.js' },
    './schemas/*': './schemas/*',
  })
  expect(publishedManifest(client, [includedProtocol])).toMatchObject({
    imports: { '#socket': { node: './dist/node/socket.js', default: './dist/socket.js' } },
    bin: { x: './dist/main.js' },
    sideEffects: false,
    engines: { node: '>=20' },
  })
})

it('depends on what an included package needs instead of the package', () => {
  expect(publishedManifest(client, [includedProtocol]).dependencies).toEqual({ ws: '8.0.0', zod: '4.0.0' })
  expect(publishedManifest(client, []).dependencies).toEqual({ '@x/protocol': '1.2.3', ws: '8.0.0' })
})

it('has the imports of an included package, in its folder', () => {
  const tool: WorkspaceManifest = { ...protocol, name: '@x/tool', exports: {}, dependencies: { '@x/client': '1.2.3' } }
  expect(publishedManifest(tool, [{ folder: 'client', manifest: client }])).toMatchObject({
    imports: { '#socket': { node: './dist/client/node/socket.js', default: './dist/client/socket.js' } },
    dependencies: { '@x/protocol': '1.2.3', ws: '8.0.0' },
  })
})
