import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { type Node, type SourceFile, SyntaxKind } from 'typescript/unstable/ast'
import { createVirtualFileSystem } from 'typescript/unstable/fs'
import { API } from 'typescript/unstable/sync'

const root = path.join(import.meta.dirname, '../..')

/** The source files of these folders, by their path from the root. Without declarations and installed packages. */
export function readSources(folders: readonly string[], pattern = /\.tsx?$/): Map<string, string> {
  const files = folders.flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
      .filter((file) => pattern.test(file) && !file.endsWith('.d.ts') && !file.includes('/node_modules/')),
  )
  return new Map(files.map((file) => [file, readFileSync(path.join(root, file), 'utf8')]))
}

/** Parses the files with the TypeScript compiler, in memory and without their imports and types, and returns what `read` finds in each. */
export function parseSources<T>(texts: ReadonlyMap<string, string>, read: (source: SourceFile, file: string) => readonly T[]): T[] {
  const compilerOptions = { noResolve: true, noLib: true, types: [], allowJs: true, jsx: 'preserve', allowImportingTsExtensions: true }
  const files = [...texts.keys()].map((file) => `/${file}`)
  const config = { compilerOptions: { ...compilerOptions, noEmit: true }, files }
  const entries = [...texts].map(([file, text]) => [`/${file}`, text])
  const fs = createVirtualFileSystem({ '/tsconfig.json': JSON.stringify(config), ...Object.fromEntries(entries) })
  const api = new API({ cwd: '/', fs })
  try {
    const project = api.updateSnapshot({ openProject: '/tsconfig.json' }).getProject('/tsconfig.json')
    return files.flatMap((file) => {
      const source = project?.program.getSourceFile(file)
      if (!source) throw new Error(`${file} was not parsed`)
      return read(source, file.slice(1))
    })
  } finally {
    api.close()
  }
}

export type SourceExport = {
  readonly name: string
  readonly file: string
  /** From 1. */
  readonly line: number
  readonly kind: 'function' | 'value' | 'type'
  /** The text of the declaration, without its docstring. */
  readonly text: string
  /** The docstring above the declaration, without its marks; empty if there is none. */
  readonly docstring: string
}

type Declaration = Node & {
  readonly name?: Node
  readonly modifiers?: readonly Node[]
  readonly declarationList?: { declarations: readonly Declaration[] }
}
type ExportList = Node & {
  readonly moduleSpecifier?: Node
  readonly exportClause?: { readonly elements?: readonly { readonly name: Node; readonly propertyName?: Node }[] }
}
const kinds: { readonly [kind in SyntaxKind]?: SourceExport['kind'] } = {
  [SyntaxKind.FunctionDeclaration]: 'function',
  [SyntaxKind.VariableStatement]: 'value',
  [SyntaxKind.ClassDeclaration]: 'value',
  [SyntaxKind.EnumDeclaration]: 'value',
  [SyntaxKind.TypeAliasDeclaration]: 'type',
  [SyntaxKind.InterfaceDeclaration]: 'type',
}

/** What a file exports by a name of its own: its declarations, and exports under another name. A plain re-export has no own name. */
export function exportsIn(source: SourceFile, file: string): SourceExport[] {
  return source.statements.flatMap((statement) => {
    const kind = kinds[statement.kind]
    const start = statement.getStart(source)
    const common = { file, line: source.text.slice(0, start).split('\n').length, text: source.text.slice(start, statement.end) }
    const docstring = docstringIn(source.text.slice(statement.pos, start))
    if (kind !== undefined) {
      const { modifiers, name, declarationList } = statement as Declaration
      if (!modifiers?.some((one) => one.kind === SyntaxKind.ExportKeyword)) return []
      const isDefault = modifiers.some((one) => one.kind === SyntaxKind.DefaultKeyword)
      const names = declarationList ? declarationList.declarations.map((one) => one.name) : [name]
      return names.map((one) => ({ ...common, kind, docstring, name: isDefault ? 'default' : (one?.getText(source) ?? 'default') }))
    }
    const { exportClause, moduleSpecifier } = statement as ExportList
    const listed = statement.kind === SyntaxKind.ExportDeclaration ? (exportClause?.elements ?? []) : []
    return listed
      .filter((one) => one.propertyName !== undefined || moduleSpecifier === undefined)
      .map((one) => ({ ...common, kind: 'value' as const, docstring, name: one.name.getText(source) }))
  })
}

/** The last block comment of a trivia text, as one line. */
function docstringIn(trivia: string): string {
  const comment = [...trivia.matchAll(/\/\*\*([\s\S]*?)\*\//g)].at(-1)?.[1] ?? ''
  return comment
    .split('\n')
    .map((line) => line.replace(/^\s*\*? ?/, ''))
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim()
}
