/** Reads what the client says about codes in a table: “N means night”. */

import { stemWord } from '../../../stem-word.ts'
import type { DataTable, TableColumn } from '../../../tools/tables/reading/table/read-attached-table.ts'

export type DefinedValue = { readonly column: TableColumn; readonly value: string; readonly words: string }

const means =
  "means?|stands? for|is short for|is the|is an?|is|are|=|bedeutet|heißt|steht für|ist|veut dire|signifie|c[’']est|est|significa|quiere decir|es|是|表示|代表"
const definition = new RegExp(
  `(?<![\\p{L}\\p{N}])["“”'«]?([\\p{L}\\p{N}/+-]{1,12})["“”'»]?\\s*(?:${means})(?!\\p{L})\\s*(?:an?|the|eine?|le|la|un|una|el)?\\s*["“']?([\\p{L}]{2,20})`,
  'giu',
)
const maxValues = 200

/** Codes of cells whose meaning the goal defines and uses: both the code and the word are there. */
export function readCellCodeDefinitions(text: string, table: DataTable): DefinedValue[] {
  const found: DefinedValue[] = []
  for (const [whole, code = '', meaning = ''] of text.matchAll(definition)) {
    const column = table.columns.find(({ kind, cells }) => kind === 'text' && isCode(cells, code))
    const stem = stemWord(meaning)
    const rest = text.replace(whole, ' ')
    const isUsed = [...rest.matchAll(/\p{L}{2,}/gu)].some(
      ([word]) => stemWord(word) === stem || word.toLowerCase().startsWith(meaning.toLowerCase()),
    )
    if (column && isUsed) found.push({ column, value: code, words: `${whole} ${meaning}` })
  }
  return found
}

function isCode(cells: readonly string[], code: string): boolean {
  const different = new Set(cells)
  return different.size <= maxValues && different.has(code)
}
