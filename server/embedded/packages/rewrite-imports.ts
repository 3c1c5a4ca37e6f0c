import path from 'node:path'

/** A package whose compiled files are inside the archive of another: its name, and its folder in the output. */
export type IncludedPackage = { readonly name: string; readonly folder: string }

/**
 * A compiled file as it stands in the archive. Relative imports end in `.js`, which the compiler leaves as `.ts` in declarations, and
 * imports of included packages become relative ones. `file`: its path in the output, with `/`.
 */
export function rewriteImports(code: string, file: string, included: readonly IncludedPackage[]): string {
  return code.replace(/((?:from|import)\s*\(?\s*)(['"])([^'"\n]+)\2/g, (whole, before: string, quote: string, specifier: string) => {
    if (specifier.startsWith('.')) return `${before}${quote}${specifier.replace(/\.ts$/, '.js')}${quote}`
    const target = included.find(({ name }) => name === specifier)
    if (!target) return whole
    const relative = path.posix.relative(path.posix.dirname(file), `${target.folder}/index.js`)
    return `${before}${quote}${relative.startsWith('.') ? relative : `./${relative}`}${quote}`
  })
}
