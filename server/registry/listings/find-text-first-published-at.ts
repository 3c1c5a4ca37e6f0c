/** Since when a listing has its text. Of alike texts, the search shows the one that was there first before its copies. */
import type { ListingDraft } from '@parley/protocol'
import { termOf, wordsOf } from '../../search/text/tokenize.ts'

type Text = Pick<ListingDraft, 'summary' | 'skills'>
type TextVersion = { readonly text: Text; readonly at: Date }

/** Texts with at least this Jaccard similarity are versions of one text: a corrected sentence or one skill more keeps the age. */
const minSimilarity = 0.5

/**
 * The time of the first version from which on all versions are like the given text. The text itself is compared, not its neighbours:
 * a text that becomes another in small steps is as young as the last step that matters.
 * @param earlier the versions before, newest first
 */
export function findTextFirstPublishedAt(text: Text, earlier: readonly TextVersion[], now: Date): Date {
  const terms = termsOf(text)
  let since = now
  for (const version of earlier) {
    if (similarityOf(terms, termsOf(version.text)) < minSimilarity) break
    since = version.at
  }
  return since
}

function termsOf({ summary, skills }: Text): ReadonlySet<string> {
  const texts = [summary, ...skills.flatMap(({ name, description, tags }) => [name, description, ...tags])]
  return new Set(wordsOf(texts.join(' ')).flatMap((word) => termOf(word) || []))
}

function similarityOf(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const all = one.union(other).size
  return all === 0 ? 1 : one.intersection(other).size / all
}
