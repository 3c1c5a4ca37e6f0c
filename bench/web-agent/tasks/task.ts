/**
 * A task of the benchmark. It is done if the state of the site equals what `change` makes of a fresh one, in every field, and the
 * answer equals `answer`. The agent's own report does not count.
 */
export type WebTask<S> = {
  readonly text: string
  /** Held out during development of the step chooser. */
  readonly held?: true
  readonly answer?: (state: S) => string | number
  readonly change?: (state: S) => void
}

/** The item with the maximum of an attribute, or with `-1` the minimum. Ties would make a task ambiguous and are refused. */
export function max<T>(all: readonly T[], of: (one: T) => number, sign: 1 | -1 = 1): T {
  const sorted = [...all].sort((a, b) => sign * (of(b) - of(a)))
  const [first, second] = sorted
  if (!first || !second || of(first) === of(second)) throw new RangeError('There is no single one.')
  return first
}

export function named<T extends { readonly [key in K]: string }, K extends 'title' | 'name'>(all: readonly T[], key: K, name: string): T {
  const found = all.filter((one) => one[key] === name)
  if (found.length !== 1 || !found[0]) throw new RangeError(`${found.length} are named ${name}.`)
  return found[0]
}
