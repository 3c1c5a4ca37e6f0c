/** The `package.json` of a workspace of this repository. */
export type WorkspaceManifest = {
  readonly name: string
  readonly version: string
  readonly description?: string
  readonly license: string
  readonly sideEffects?: boolean
  readonly exports: Readonly<Record<string, string>>
  readonly imports?: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly bin?: Readonly<Record<string, string>>
  readonly dependencies: Readonly<Record<string, string>>
}

/** The oldest Node that the published packages support. Their tests run on it. */
export const minNodeMajor = 20

/** A workspace whose compiled files are in the archive of another, in `dist/folder`. */
export type IncludedManifest = { readonly folder: string; readonly manifest: WorkspaceManifest }

/**
 * The `package.json` of a package as it is published: paths of sources become paths of compiled files, and packages that its archive
 * contains are no longer dependencies. Their `imports` become its own.
 */
export function publishedManifest(workspace: WorkspaceManifest, included: readonly IncludedManifest[]): Record<string, unknown> {
  const { name, version, description, license, sideEffects, exports, bin } = workspace
  const names = new Set(included.map(({ manifest }) => manifest.name))
  const dependencies: Record<string, string> = Object.assign(
    {},
    ...included.map(({ manifest }) => manifest.dependencies),
    workspace.dependencies,
  )
  const imports = Object.assign({}, ...included.map(includedImports), compiledImports(workspace))
  return {
    name,
    version,
    ...(description !== undefined && { description }),
    license,
    type: 'module',
    ...(sideEffects !== undefined && { sideEffects }),
    engines: { node: `>=${minNodeMajor}` },
    exports: mapValues(exports, (target) =>
      isSource(target) ? { types: compiled(target, '.d.ts'), default: compiled(target, '.js') } : target,
    ),
    ...(Object.keys(imports).length > 0 && { imports }),
    ...(bin && { bin: mapValues(bin, (target) => compiled(target, '.js')) }),
    dependencies: Object.fromEntries(
      Object.entries(dependencies)
        .filter(([dependency]) => !names.has(dependency))
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    ),
  }
}

const compiledImports = ({ imports = {} }: WorkspaceManifest) =>
  mapValues(imports, (targets) => mapValues(targets, (target) => compiled(target, '.js')))

const includedImports = ({ folder, manifest }: IncludedManifest) =>
  mapValues(compiledImports(manifest), (targets) => mapValues(targets, (target) => target.replace('./dist/', `./dist/${folder}/`)))

const isSource = (target: string) => target.startsWith('./src/')

function compiled(target: string, extension: string): string {
  return isSource(target) ? target.replace('./src/', './dist/').replace(/\.ts$/, extension) : target
}

function mapValues<Value, Result>(record: Readonly<Record<string, Value>>, map: (value: Value) => Result): Record<string, Result> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]))
}
