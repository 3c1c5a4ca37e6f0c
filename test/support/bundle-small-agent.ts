/** Bundles a program with the client for small devices, as its publisher would. */
import path from 'node:path'
import { build } from 'esbuild'

/** `code`: one minified module. `imports`: what it still imports. `inputs`: the files in it, from the repository's root. */
export type SmallBundle = {
  readonly code: string
  readonly bytes: number
  readonly imports: readonly string[]
  readonly inputs: readonly string[]
}

const root = path.join(import.meta.dirname, '../..')

/** @param entry a file of the repository, or the text of a module */
export async function bundleSmallAgent(entry: { readonly file: string } | { readonly text: string }): Promise<SmallBundle> {
  const { outputFiles, metafile } = await build({
    ...('file' in entry ? { entryPoints: [path.join(root, entry.file)] } : { stdin: { contents: entry.text, resolveDir: root } }),
    absWorkingDir: root,
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    // What a browser lacks stays an import, for the test to find. Without this, the build would fail with another message.
    external: ['node:*'],
    logLevel: 'silent',
  })
  const [output] = Object.values(metafile.outputs)
  const code = outputFiles[0]?.text ?? ''
  return {
    code,
    bytes: Buffer.byteLength(code),
    imports: output?.imports.map((one) => one.path) ?? [],
    inputs: Object.keys(output?.inputs ?? {}),
  }
}
