/**
 * A task of the bench. It is done where the state of the site is what `change` makes of a fresh one, to the last field, and
 * where the answer is `answer`'s: the agent's own word counts for nothing.
 */
export type WebTask<S> = {
  readonly text: string
  /** Not looked at while the policy was written. */
  readonly held?: true
  readonly answer?: (state: S) => string | number
  readonly change?: (state: S) => void
}

/** The one that has most of something, or with `-1` least; ties would make a task unfair and are refused. */
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
