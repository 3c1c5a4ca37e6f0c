import { uploadTypes } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import {
  acceptedEndings,
  attachmentFault,
  convertToUtf8,
  mediaTypeOf,
  mediaTypeOfFile,
} from '../../../../../app/goals/new/_wizard/attachment-policy.ts'
import { translate } from '../../../translate.ts'

const t = translate('views.attachment')

const bytes = (text: string) => new TextEncoder().encode(text)

describe('attachmentFault', () => {
  it.each([
    ['empty.csv', bytes(''), 'empty.csv: The file is empty.'],
    ['latin.txt', Uint8Array.of(0x52, 0xe9), 'latin.txt: The content is not UTF-8 text. Save the file as UTF-8.'],
    ['zero.txt', bytes('ab\0c'), 'zero.txt: The content has a NUL character (U+0000) at position 2.'],
    ['false.png', bytes('x'), 'false.png: The content is not image/png.'],
    ['run.exe', bytes('x'), 'run.exe: This file type is not supported. Save it as Excel, CSV, Word, PDF, text or an image'],
    ['Makefile', bytes('x'), 'Makefile: This file type is not supported.'],
    ['large.txt', new Uint8Array(2_097_153).fill(97), 'large.txt: The file has 2097153 bytes. The maximum is 2097152 (2 MiB).'],
    [`${'n'.repeat(130)}.csv`, bytes('x'), 'The name has 134 characters. Shorten it to 120.'],
  ])('refuses %s and names it', (name, content, fault) => {
    expect(attachmentFault(name, content, t)).toContain(fault)
  })

  it('shows what cannot be seen in a name as escapes, and states which character is refused', () => {
    expect(attachmentFault('a\u202eb.csv', bytes('x'), t)).toMatch(/^a\\u\{202E\}b\.csv: The name has the invisible character U\+202E\./)
    expect(attachmentFault('a\u200b.csv', bytes(''), t)).toMatch(/^a\\u\{200B\}\.csv: /)
  })

  it('takes broken JSON as text, and logs, source code and HTML', () => {
    expect(mediaTypeOfFile('bad.json', bytes('{"a":1,}'))).toBe('text/plain')
    expect(mediaTypeOfFile('good.json', bytes('{"a":1}'))).toBe('application/json')
    for (const name of ['bad.json', 'app.log', 'config.yml', 'query.sql', 'page.html'])
      expect([name, attachmentFault(name, bytes('<html>{ a: 1'.slice(name === 'page.html' ? 0 : 6)), t)]).toEqual([name, null])
  })

  it('accepts what the form states that it accepts', () => {
    expect(attachmentFault('Umsatz 2014.CSV', bytes('a,b\n1,2\n'), t)).toBeNull()
    expect(attachmentFault('notes.md', bytes('# Notes'), t)).toBeNull()
  })
})

it('offers an ending for each type that the server takes', () => {
  expect(new Set(acceptedEndings.split(',').map((ending) => mediaTypeOf(`a${ending}`)))).toEqual(new Set(uploadTypes))
})

describe('convertToUtf8', () => {
  const converted = (...codes: number[]) => {
    const result = convertToUtf8('a.csv', Uint8Array.from(codes))
    return result && new TextDecoder().decode(result)
  }

  it('reads Windows-1252 and UTF-16, as spreadsheets save them', () => {
    expect(converted(0x4d, 0xfc, 0x6c, 0x6c, 0x80)).toBe('Müll€')
    expect(converted(0xff, 0xfe, 0x41, 0x00, 0xe9, 0x00)).toBe('Aé')
    expect(converted(0xfe, 0xff, 0x00, 0x41, 0x00, 0xe9)).toBe('Aé')
  })

  it('leaves UTF-8, images and other bytes as they are', () => {
    expect(convertToUtf8('a.csv', bytes('Müll'))).toBeUndefined()
    expect(convertToUtf8('a.png', Uint8Array.of(0xfc))).toBeUndefined()
    expect(convertToUtf8('a.exe', Uint8Array.of(0xfc))).toBeUndefined()
    expect(converted(0xfc, 0x00, 0x01)).toBeUndefined()
  })
})
