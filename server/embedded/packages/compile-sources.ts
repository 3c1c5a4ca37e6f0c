import fs from 'node:fs'
import path from 'node:path'
import { runScript } from '../processes/run-script.ts'

/** Compiles the `src` folders of these workspaces to JavaScript, declarations and source maps, below `out/WORKSPACE/src`. */
export async function compileSources(root: string, workspaces: readonly string[], out: string, log: string): Promise<void> {
  fs.mkdirSync(out, { recursive: true })
  const config = path.join(out, 'tsconfig.json')
  fs.writeFileSync(
    config,
    JSON.stringify({
      extends: path.join(root, 'tsconfig.json'),
      compilerOptions: {
        noEmit: false,
        // The oldest supported Node knows all of ES2023, and no more: what it lacks is an error here.
        target: 'es2022',
        lib: ['es2023', 'es2024.string', 'dom', 'dom.iterable'],
        declaration: true,
        sourceMap: true,
        inlineSources: true,
        rewriteRelativeImportExtensions: true,
        rootDir: root,
        outDir: out,
        incremental: false,
        tsBuildInfoFile: null,
        paths: {},
        // The output may be outside the repository.
        typeRoots: [path.join(root, 'node_modules/@types')],
      },
      include: workspaces.map((workspace) => `${root}/${workspace}/src/**/*.ts`),
      exclude: [],
    }),
  )
  await runScript('Compiling the packages', 'node_modules/typescript/bin/tsc', ['-p', config], { log })
}
