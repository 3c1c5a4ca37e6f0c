import { strToU8, zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { type ConvertedFile, convertDocument, convertedEndings } from '../../../../app/_quote/files/convert-document.ts'
import { csvOfRows } from '../../../../app/_quote/files/csv-of-rows.ts'

const xml = (text: string) => strToU8(`<?xml version="1.0" encoding="UTF-8" standalone="yes"?>${text}`)
const relations = (items: string) =>
  xml(`<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${items}</Relationships>`)
const officeTypes = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const zip = (files: Parameters<typeof zipSync>[0]) => new Uint8Array(zipSync(files))

/** A workbook with these sheets: the XML of the rows of each. */
function workbook(sheets: Readonly<Record<string, string>>): Uint8Array<ArrayBuffer> {
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
  const entries = Object.entries(sheets)
  return zip({
    '[Content_Types].xml': xml('<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>'),
    '_rels/.rels': relations(`<Relationship Id="r1" Type="${officeTypes}/officeDocument" Target="xl/workbook.xml"/>`),
    'xl/workbook.xml': xml(
      `<workbook xmlns="${main}" xmlns:r="${officeTypes}"><sheets>${entries.map(([name], at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="s${at + 1}"/>`).join('')}</sheets></workbook>`,
    ),
    'xl/_rels/workbook.xml.rels': relations(
      `${entries.map((_, at) => `<Relationship Id="s${at + 1}" Type="${officeTypes}/worksheet" Target="worksheets/sheet${at + 1}.xml"/>`).join('')}<Relationship Id="st" Type="${officeTypes}/styles" Target="styles.xml"/>`,
    ),
    'xl/styles.xml': xml(
      `<styleSheet xmlns="${main}"><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/></cellXfs></styleSheet>`,
    ),
    ...Object.fromEntries(
      entries.map(([, rows], at) => [
        `xl/worksheets/sheet${at + 1}.xml`,
        xml(`<worksheet xmlns="${main}"><sheetData>${rows}</sheetData></worksheet>`),
      ]),
    ),
  })
}

const cellText = (at: string, text: string) => `<c r="${at}" t="inlineStr"><is><t>${text}</t></is></c>`
const hours = `<row r="1">${cellText('A1', 'Day')}${cellText('B1', 'Project')}${cellText('C1', 'Hours')}</row>
<row r="2"><c r="A2" s="1"><v>46083</v></c>${cellText('B2', 'Audit, first')}<c r="C2"><v>0.30000000000000004</v></c></row>`

function wordDocument(paragraphs: readonly string[]): Uint8Array<ArrayBuffer> {
  const word = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
  const body = paragraphs.map((text) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`).join('')
  return zip({
    '[Content_Types].xml': xml(
      '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
    ),
    '_rels/.rels': relations(`<Relationship Id="r1" Type="${officeTypes}/officeDocument" Target="word/document.xml"/>`),
    'word/document.xml': xml(`<w:document xmlns:w="${word}"><w:body>${body}</w:body></w:document>`),
  })
}

/** A PDF of one page for each content stream. */
function pdf(pages: readonly string[]): Uint8Array<ArrayBuffer> {
  const kids = pages.map((_, at) => `${4 + at * 2} 0 R`).join(' ')
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Kids[${kids}]/Count ${pages.length}>>`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    ...pages.flatMap((content, at) => [
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Resources<</Font<</F 3 0 R>>>>/Contents ${5 + at * 2} 0 R>>`,
      `<</Length ${content.length}>>stream\n${content}\nendstream`,
    ]),
  ]
  const body = objects.map((object, at) => `${at + 1} 0 obj\n${object}\nendobj\n`).join('')
  return new Uint8Array(strToU8(`%PDF-1.4\n${body}trailer<</Root 1 0 R>>\n%%EOF`))
}

async function textsOf(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<Record<string, string>> {
  const converted = await convertDocument(name, bytes)
  if (!Array.isArray(converted)) return expect.fail(`It was not converted: ${JSON.stringify(converted)}`)
  return Object.fromEntries((converted as ConvertedFile[]).map((file) => [file.name, new TextDecoder().decode(file.bytes)]))
}

describe('convertDocument', () => {
  it('makes a table of the filled sheet of a workbook, with dates and short decimals', async () => {
    expect(await textsOf('Time sheet.XLSX', workbook({ March: hours, Empty: '' }))).toEqual({
      'Time sheet.csv': 'Day,Project,Hours\n2026-03-02,"Audit, first",0.3\n',
    })
  })

  it('makes a table of each sheet, named after it', async () => {
    expect(Object.keys(await textsOf('a.xlsx', workbook({ 'Q1/2': hours, Rest: hours })))).toEqual(['a Q1-2.csv', 'a Rest.csv'])
  })

  it('takes the text of a Word document and of all pages of a PDF', async () => {
    expect(await textsOf('essay.docx', wordDocument(['The river', 'Grüße &amp; more']))).toEqual({
      'essay.txt': 'The river\n\nGrüße & more\n',
    })
    const pages = ['BT /F 12 Tf 20 200 Td (Party on 19 June) Tj ET', 'BT /F 12 Tf 20 200 Td (Bring a cake) Tj ET']
    expect(await textsOf('notice.pdf', pdf(pages))).toEqual({ 'notice.txt': 'Party on 19 June\n\nBring a cake\n' })
  })

  it.each([
    ['noRows', 'a.xlsx', () => workbook({ One: '', Two: '<row r="1"><c r="A1"/></row>' })],
    ['noText', 'a.docx', () => wordDocument(['', ' '])],
    ['noText', 'scan.pdf', () => pdf(['0 0 10 10 re f'])],
    ['broken', 'a.xlsx', () => new Uint8Array([1, 2, 3])],
    ['broken', 'a.docx', () => workbook({ One: hours })],
    ['broken', 'a.docx', () => new Uint8Array(0)],
    ['broken', 'a.pdf', () => new Uint8Array(strToU8('no PDF'))],
  ])('finds %s in %s', async (fault, name, make) => {
    expect(await convertDocument(name, make())).toBe(fault)
  })

  it.each(['a.csv', 'xlsx', 'a.xlsx.txt', 'a.doc', 'constructor', 'a.constructor'])('leaves %s as it is', async (name) => {
    expect(await convertDocument(name, new Uint8Array([1]))).toBe(null)
  })

  it('names its extensions for a file picker', () => {
    expect(convertedEndings).toBe('.xlsx,.docx,.pdf')
  })
})

describe('csvOfRows', () => {
  it('leaves out empty rows and columns, and quotes what needs it', () => {
    const rows = [
      [null, null, null],
      [null, 'a "b"', null, 'c\nd'],
      [null, true, null, -1.5],
      [null, new Date('2026-01-02T03:04:05Z'), ' ', 1e21],
    ]
    expect(csvOfRows(rows)).toBe('"a ""b""","c\nd"\ntrue,-1.5\n2026-01-02T03:04:05,1e+21\n')
    expect(csvOfRows([])).toBe('')
  })
})
