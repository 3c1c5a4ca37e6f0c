/** The fields of a Python project that its wheel states. `dependencies`: with version ranges, as `websockets>=10.4`. */
export type Pyproject = {
  readonly name: string
  readonly version: string
  readonly description: string
  readonly license: string
  readonly requiresPython: string
  readonly keywords: readonly string[]
  readonly classifiers: readonly string[]
  readonly dependencies: readonly string[]
}

/**
 * Reads the table `project` of a `pyproject.toml`. Knows the part of TOML that such a file needs: texts in double quotes, and lists of
 * them.
 * @throws {RangeError} if a field is missing
 */
export function readPyproject(toml: string): Pyproject {
  const table = /^\[project\]\n([\s\S]*?)(?=^\[|$(?![\s\S]))/m.exec(toml)?.[1] ?? ''
  function fieldOf(key: string): string {
    const value = new RegExp(String.raw`^${key} = (\[[^\]]*\]|.*)$`, 'm').exec(table)?.[1]
    if (value === undefined) throw new RangeError(`pyproject.toml has no project.${key}.`)
    return value
  }
  function textOf(key: string): string {
    const [text] = textsIn(fieldOf(key))
    if (text === undefined) throw new RangeError(`project.${key} in pyproject.toml is not a text.`)
    return text
  }
  return {
    name: textOf('name'),
    version: textOf('version'),
    description: textOf('description'),
    license: textOf('license'),
    requiresPython: textOf('requires-python'),
    keywords: textsIn(fieldOf('keywords')),
    classifiers: textsIn(fieldOf('classifiers')),
    dependencies: textsIn(fieldOf('dependencies')),
  }
}

/** TOML's basic strings are JSON strings. */
const textsIn = (value: string): string[] => [...value.matchAll(/"(?:[^"\\\n]|\\.)*"/g)].map(([text]) => JSON.parse(text) as string)
