import { describe, expect, it } from 'vitest'
import { createScratch, searchListings } from '../../../../server/search/query/search-listings.ts'
import { idOf, indexOf, listing, query } from '../sample-listings.ts'

const named = [
  'QR code',
  'House Text',
  'JSON and CSV',
  'GPT-4o',
  'HTTP/2',
  'ISO-8601',
  'node.js',
  'OpenAPI',
  'Umsatz Prüfer',
  'C++',
  'C#',
  '.NET',
  'F#',
  'C compiler',
  'Net prices',
]
const numberOf = (name: string) => named.indexOf(name) + 1
const market = indexOf([
  ...named.map((name, n) => listing(n + 1, { name })),
  listing(40, { skills: [{ tags: ['Rechnung'] }] }),
  listing(41, { name: 'مترجم العقود' }),
  listing(42, { name: 'Systems of trains', summary: 'Opens a node of a network.' }),
])
const hits = (text: string) => searchListings(market, query({ text }), createScratch()).hits
const found = (text: string) => hits(text).map((hit) => hit.agentId)

describe('a word that is written as several', () => {
  it.each([
    ['QRCode', 'QR code'],
    ['qrCode', 'QR code'],
    ['HouseText', 'House Text'],
    ['JSONtoCSV', 'JSON and CSV'],
    ['gpt4o', 'GPT-4o'],
    ['GPT4o', 'GPT-4o'],
    ['http2', 'HTTP/2'],
    ['iso8601', 'ISO-8601'],
    ['nodejs', 'node.js'],
    ['open api', 'OpenAPI'],
    ['Umsatzprüfer', 'Umsatz Prüfer'],
    ['C++', 'C++'],
    ['c#', 'C#'],
    ['.net', '.NET'],
    ['F#', 'F#'],
  ])('%s finds %s', (text, name) => {
    expect(found(text)[0]).toBe(idOf(numberOf(name)))
  })

  it('reports the parts that were found', () => {
    expect(hits('QRCode')[0]?.rank.words).toEqual([{ word: 'qrcode', kind: 'related', as: 'qr code' }])
    expect(hits('C++')[0]?.rank.words).toEqual([{ word: 'c++', kind: 'exact' }])
  })

  it('finds no listing that has one of the parts only', () => {
    expect(found('QRText')).toEqual([])
    expect(found('gpt5')).toEqual([])
    expect(found('headers csvfiles')).toEqual([])
    expect(found('C++')).not.toContain(idOf(numberOf('C compiler')))
    expect(found('.NET')).not.toContain(idOf(numberOf('Net prices')))
    expect(found('C')).toEqual([idOf(numberOf('C compiler'))])
  })

  it('finds by the beginning or the end of a compound, if nothing else stands for it', () => {
    expect(found('Rechnungsprüfung')).toEqual([idOf(40)])
    expect(found('system')).toEqual([idOf(42)])
  })

  it('finds an Arabic noun with and without its article', () => {
    expect(found('عقود')).toEqual([idOf(41)])
    expect(found('المترجم')).toEqual([idOf(41)])
  })

  it('keeps its pages in order', () => {
    const many = indexOf(Array.from({ length: 30 }, (_, n) => listing(n, { name: n % 2 ? 'QR code' : 'QRCode' })))
    const first = searchListings(many, query({ text: 'QRCode', limit: 20 }), createScratch())
    const rest = searchListings(many, query({ text: 'QRCode', limit: 20, after: first.hits.at(-1)?.cursor }), createScratch())
    expect(new Set([...first.hits, ...rest.hits].map((hit) => hit.agentId)).size).toBe(30)
    expect(rest.isLast).toBe(true)
  })
})
