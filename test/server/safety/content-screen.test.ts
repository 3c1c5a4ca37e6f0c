import { uploadBytes } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { createContentScreen, maxTextBytes } from '../../../server/safety/index.ts'

const screen = createContentScreen()
const text = (content: string) => screen.text(content).answer
const csv = (name: string) => screen.file({ name, mediaType: 'text/csv', bytes: Buffer.from('year,revenue\n2014,86833\n') }).answer

describe('createContentScreen', () => {
  describe('text', () => {
    it('refuses more than 64 kB, counted in bytes', () => {
      expect(text('a'.repeat(maxTextBytes + 1))).toBe('refuse')
      expect(text('é'.repeat(maxTextBytes / 2 + 1))).toBe('refuse')
      expect(text('é'.repeat(maxTextBytes / 2))).toBe('allow')
    })

    it.each([
      ['NUL', 'a\u0000b'],
      ['escape', 'a\u001b[31mb'],
      ['backspace', 'paid\b\b\b\b'],
      ['delete', 'a\u007fb'],
      ['a C1 control', 'a\u0085b'],
    ])('refuses the control character %s', (_name, content) => {
      expect(text(content)).toBe('refuse')
    })

    it.each(['\u202a', '\u202b', '\u202c', '\u202d', '\u202e', '\u2066', '\u2067', '\u2068', '\u2069'])(
      'refuses the direction mark %j',
      (mark) => {
        expect(text(`pay ${mark}000 1 to`)).toBe('refuse')
      },
    )

    it('refuses half of a surrogate pair', () => {
      expect(text('\ud83d')).toBe('refuse')
    })

    it('states what it found and where', () => {
      expect(screen.text('abc\u202edef')).toMatchObject({ reason: expect.stringContaining('U+202E at position 3') })
    })

    it.each(['', 'Zeile eins\n\tZeile zwei\r\n', 'שלום עולם', 'مرحبا', '数据 😀 é', 'a\u200db'])('lets %j through', (content) => {
      expect(text(content)).toBe('allow')
    })
  })

  describe('file', () => {
    it('refuses more than 2 MiB and takes exactly that', () => {
      const file = (size: number) => screen.file({ name: 'a.txt', mediaType: 'text/plain', bytes: new Uint8Array(size).fill(97) }).answer
      expect(file(uploadBytes + 1)).toBe('refuse')
      expect(file(uploadBytes)).toBe('allow')
    })

    it.each(['../a.csv', 'a\\b.csv', 'a\nb.csv', '..', '.', 'invoice\u202evsc.exe', '\ud800.csv'])('refuses the name %j', (name) => {
      expect(csv(name)).toBe('refuse')
    })

    it('states which character of a name is refused', () => {
      const refusal = screen.file({ name: 'invoice\u202evsc.csv', mediaType: 'text/csv', bytes: Buffer.from('a') })
      expect(refusal).toMatchObject({ reason: expect.stringContaining('U+202E') })
    })

    it('lets a plain name through', () => {
      expect(csv('Umsatz 2014–2020.csv')).toBe('allow')
    })

    it('refuses content that is not what it is declared as', () => {
      expect(screen.file({ name: 'a.png', mediaType: 'image/png', bytes: Buffer.from('<html>') }).answer).toBe('refuse')
    })
  })
})
