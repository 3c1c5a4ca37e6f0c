import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { type Node, type SourceFile, SyntaxKind } from 'typescript/unstable/ast'
import { createVirtualFileSystem } from 'typescript/unstable/fs'
import { API } from 'typescript/unstable/sync'

const root = path.join(import.meta.dirname, '../..')

/** The source files of these folders, by their path from the root. Without declarations and installed packages. */
export function readSources(folders: readonly string[], pattern = /\.tsx?$/): Map<string, string> {
  const files = folders.flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
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

export type ProsePiece = { readonly kind: 'comment' | 'text' | 'title' | 'identifier'; readonly line: number; readonly text: string }

const literalKinds: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.StringLiteral,
  SyntaxKind.NoSubstitutionTemplateLiteral,
  SyntaxKind.TemplateHead,
  SyntaxKind.TemplateMiddle,
  SyntaxKind.TemplateTail,
  SyntaxKind.RegularExpressionLiteral,
  SyntaxKind.JsxText,
])

/** The words of a source file: its comments, the texts of its literals, the titles of its tests, and its identifiers. */
export function proseIn(source: SourceFile): ProsePiece[] {
  const { text } = source
  const lineAt = (at: number) => text.slice(0, at).split('\n').length
  const found: ProsePiece[] = []
  const code = text.split('')
  const visit = (node: Node): void => {
    if (literalKinds.has(node.kind)) {
      const start = node.kind === SyntaxKind.JsxText ? node.pos : node.getStart(source)
      for (let at = start; at < node.end; at++) if (code[at] !== '\n') code[at] = ' '
      const literal = text.slice(start, node.end)
      if (node.kind !== SyntaxKind.RegularExpressionLiteral)
        found.push({ kind: isTestTitle(node, source) ? 'title' : 'text', line: lineAt(start), text: literal })
    }
    if (node.kind === SyntaxKind.Identifier)
      found.push({ kind: 'identifier', line: lineAt(node.getStart(source)), text: node.getText(source) })
    node.forEachChild(visit)
  }
  visit(source)
  for (const comment of code.join('').matchAll(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g)) {
    // In order to match words across lines, the marks of each line are left out.
    const words = comment[0].replace(/^\/\*+|\*\/$|^\/\/+/g, '').replace(/\n\s*\*? ?/g, ' ')
    found.push({ kind: 'comment', line: lineAt(comment.index), text: words.trim() })
  }
  return found
}

/** Whether a text is the first argument of `it`, `describe` or `test`, or of one of their variants such as `it.each(…)`. */
function isTestTitle(node: Node, source: SourceFile): boolean {
  const call = node.parent as Node & { readonly expression?: Node; readonly arguments?: readonly Node[] }
  return (
    call.kind === SyntaxKind.CallExpression &&
    call.arguments?.[0] === node &&
    /^(it|describe|test)\b/.test(call.expression?.getText(source) ?? '')
  )
}
