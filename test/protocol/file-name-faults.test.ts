import { fileNameFault } from '@parley/protocol'
import { describe, expect, it } from 'vitest'

describe('the name of a file', () => {
  it.each([
    'invoice.pdf',
    'отчёт_v2 (final).pdf',
    'Überblick – März.csv',
    'Screenshot 2026-01-01 at 1.00.00\u202fPM.png',
    '請求書２０２６.xlsx',
    '보고서.docx',
    'รายงาน.txt',
    'דוח שנתי.pdf',
    'گزارش می\u200cخواهم.pdf',
    'क्\u200dषत्रिय.txt',
    'ශ්\u200dරී.txt',
    '👩🏽\u200d💻 notes ❤\ufe0f.md',
    'e\u0301te\u0301.txt',
    '.gitignore',
  ])('may be %s', (name) => {
    expect(fileNameFault(name)).toBeNull()
  })

  it.each([
    ['a zero-width space', 'invoice\u200b.pdf'],
    ['a zero-width joiner between Latin letters', 'in\u200dvoice.pdf'],
    ['a joiner at the end', 'گزارش\u200c'],
    ['an override of direction', 'invoice\u202efdp.exe'],
    ['an isolate', 'invoice\u2066.pdf'],
    ['a direction mark', 'invoice\u200f.pdf'],
    ['a byte order mark', '\ufeffinvoice.pdf'],
    ['a hangul filler', '\u3164.pdf'],
    ['a tag', 'invoice\u{e0041}.pdf'],
    ['a soft hyphen', 'in\u00advoice.pdf'],
    ['a line feed', 'invoice\n.pdf'],
    ['a folder', '../invoice.pdf'],
    ['dots alone', '..'],
    ['blanks alone', ' '],
  ])('has not %s', (_, name) => {
    expect(fileNameFault(name)).not.toBeNull()
  })
})
