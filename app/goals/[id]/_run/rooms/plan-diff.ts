/** Two versions of a plan, line by line: the kept, the removed and the added lines. Pure. */
export type DiffLine = { readonly kind: 'same' | 'out' | 'in'; readonly text: string }

/** Longer texts are not compared line by line: all old lines are removed, all new lines added. */
const maxLines = 1_000

export function planDiff(before: string, after: string): DiffLine[] {
  const [old, now] = [before.split('\n'), after.split('\n')]
  const out = (text: string): DiffLine => ({ kind: 'out', text })
  const come = (text: string): DiffLine => ({ kind: 'in', text })
  if (old.length > maxLines || now.length > maxLines) return [...old.map(out), ...now.map(come)]
  /** The length of the longest common subsequence of two suffixes, by their starts. */
  const common = Array.from({ length: old.length + 1 }, () => new Uint16Array(now.length + 1))
  const shared = (a: number, b: number) => common[a]?.[b] ?? 0
  for (let a = old.length - 1; a >= 0; a--)
    for (let b = now.length - 1; b >= 0; b--)
      (common[a] as Uint16Array)[b] = old[a] === now[b] ? shared(a + 1, b + 1) + 1 : Math.max(shared(a + 1, b), shared(a, b + 1))
  const lines: DiffLine[] = []
  let [a, b] = [0, 0]
  while (a < old.length && b < now.length) {
    if (old[a] === now[b]) {
      lines.push({ kind: 'same', text: old[a] as string })
      a++
      b++
    } else if (shared(a + 1, b) >= shared(a, b + 1)) lines.push(out(old[a++] as string))
    else lines.push(come(now[b++] as string))
  }
  return [...lines, ...old.slice(a).map(out), ...now.slice(b).map(come)]
}
