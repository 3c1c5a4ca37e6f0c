/** A possible interpretation of a goal, before it is verified: a sentence that states exactly what would be done. */
import type { TableQuery } from '../../tools/tables/computing/table-query.ts'
import { foldCaseAndAccents } from './fold-case-and-accents.ts'

export type ReadingCandidate = {
  /** The goal text in its place, with the material that it needs. In the client's language first, where there is a template. */
  readonly texts: readonly string[]
  /** The skill that must do it. */
  readonly skillId: string
  /** Skills that do other sentences of the text. */
  readonly besides?: readonly string[]
  /** Words of the goal that the sentence covers. They decide its rank. */
  readonly matchedWords: readonly string[]
  /** Added to the rank of a reading that names what happens, and not only columns. */
  readonly bonus?: number
  /** For questions over a table: whether the tool reads the sentence as intended. */
  readonly matchesIntent?: (queries: readonly TableQuery[]) => boolean
}

/** The words of a phrase, in lower case and without accents. */
export const plainWords = (phrase: string): string[] => foldCaseAndAccents(phrase).match(/[\p{L}\p{N}]+/gu) ?? []
