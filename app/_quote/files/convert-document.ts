import { csvOfRows } from './csv-of-rows.ts'

/** A file that was made of a document. */
export type ConvertedFile = { readonly name: string; readonly bytes: Uint8Array }
/** Why a document has no text to send. */
export type ConversionFault = 'broken' | 'noText' | 'noRows'

type Converter = (base: string, bytes: Uint8Array<ArrayBuffer>) => Promise<readonly ConvertedFile[] | ConversionFault>

/** Converters by file extension. Each loads its library at the first such file only. */
const converters: { readonly [ending: string]: Converter } = { xlsx: convertWorkbook, docx: convertWordDocument, pdf: convertPdf }

/** The `accept` attribute of an `<input type="file">` for documents that the browser converts. */
export const convertedEndings: string = Object.keys(converters)
  .map((ending) => `.${ending}`)
  .join(',')

/**
 * A spreadsheet as one CSV file for each sheet, and the text of a Word document or PDF. The conversion is in this browser, so that
 * agents get tables and texts, and the quote sees them. Null for other files.
 */
export async function convertDocument(
  name: string,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<readonly ConvertedFile[] | ConversionFault | null> {
  const [, base = '', ending = ''] = /^(.*)\.([^.]+)$/s.exec(name) ?? []
  const key = ending.toLowerCase()
  if (!Object.hasOwn(converters, key)) return null
  try {
    return (await converters[key]?.(base, bytes)) ?? null
  } catch {
    // The libraries throw errors of their own for encrypted, truncated and foreign files.
    return 'broken'
  }
}

async function convertWorkbook(base: string, bytes: Uint8Array<ArrayBuffer>): Promise<readonly ConvertedFile[] | ConversionFault> {
  const { default: readSheets } = await import('read-excel-file/universal')
  const sheets = await readSheets(new Blob([bytes]))
  const full = sheets.filter(({ data }) => data.some((row) => row.some((cell) => cell !== null)))
  if (full.length === 0) return 'noRows'
  return full.map(({ sheet, data }) => ({
    name: full.length === 1 ? `${base}.csv` : `${base} ${sheet.replace(/[/\\]/g, '-')}.csv`,
    // The library's type of a cell names the class of dates instead of a date.
    bytes: new TextEncoder().encode(csvOfRows(data as Parameters<typeof csvOfRows>[0])),
  }))
}

async function convertWordDocument(base: string, bytes: Uint8Array<ArrayBuffer>): Promise<readonly ConvertedFile[] | ConversionFault> {
  const { default: mammoth } = await import('mammoth')
  // In a browser the library reads `arrayBuffer`, in Node `buffer`.
  const input = { arrayBuffer: bytes.buffer, buffer: bytes }
  const { value } = await mammoth.extractRawText(input as Parameters<typeof mammoth.extractRawText>[0])
  return textFile(base, value)
}

async function convertPdf(base: string, bytes: Uint8Array<ArrayBuffer>): Promise<readonly ConvertedFile[] | ConversionFault> {
  const { extractText, getDocumentProxy } = await import('unpdf')
  const { text } = await extractText(await getDocumentProxy(bytes), { mergePages: false })
  return textFile(base, text.join('\n\n'))
}

function textFile(base: string, text: string): readonly ConvertedFile[] | ConversionFault {
  const plain = text
    .replace(/\r\n?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
  return plain === '' ? 'noText' : [{ name: `${base}.txt`, bytes: new TextEncoder().encode(`${plain}\n`) }]
}
