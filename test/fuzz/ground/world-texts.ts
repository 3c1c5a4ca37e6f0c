/** Texts as people in all countries write them: each object of a scene has some, so that every page, list, stream and file shows them. */
import { randomBytes } from 'node:crypto'

/** Letters above U+00FF, signs of URLs, headers, CSV and HTML, both directions, and names of the greatest length. */
const fileNames = [
  '報告書 2026.csv',
  '📊 итог «года» 100%.md',
  `"quoted"; filename*=UTF-8''x%20%41, 'a'.csv`,
  'تقرير שלום.txt',
  `${'長'.repeat(115)}.txt`,
  'naïve — “€” & <b>50%25.json',
  'हिन्दी ไทย 한국어 = + @ #?.txt',
]
const mediaTypes: { readonly [ending: string]: string } = {
  csv: 'text/csv',
  md: 'text/markdown',
  json: 'application/json',
  txt: 'text/plain',
}

export const worldSentence = 'Bitte prüfen: 「東京」 — “цена” €5 & 100%25, 😀👩‍🔬 <b>שלום</b>, مرحبا, "a,b"; it\'s.'

let files = 0

/** An upload with the next of the names, and bytes that no other file has. */
export function worldFile(words: string) {
  const name = fileNames[files++ % fileNames.length] ?? ''
  const ending = /\w+$/.exec(name)?.[0] ?? 'txt'
  const text = `${words} ${randomBytes(6).toString('hex')} ${worldSentence}`
  const content = Buffer.from(ending === 'json' ? JSON.stringify({ text }) : text).toString('base64')
  return { name, media_type: mediaTypes[ending] ?? 'text/plain', artifact_type: 'text.plain', content }
}
