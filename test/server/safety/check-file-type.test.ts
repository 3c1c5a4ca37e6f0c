import { describe, expect, it } from 'vitest'
import { checkFileType } from '../../../server/safety/check-file-type.ts'

const png = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0)
const jpeg = Uint8Array.of(0xff, 0xd8, 0xff, 0xe0)
const webp = Buffer.from('RIFF\0\0\0\0WEBPVP8 ', 'latin1')
const bytes = (text: string) => Buffer.from(text)

describe('checkFileType', () => {
  it.each([
    ['text/html', bytes('<p>hello</p>')],
    ['application/xhtml+xml', bytes('<html/>')],
    ['application/pdf', bytes('%PDF-1.7')],
    ['application/zip', bytes('PK')],
    ['application/octet-stream', bytes('x')],
    ['image/gif', bytes('GIF89a')],
    ['text/javascript', bytes('alert(1)')],
    ['', bytes('x')],
  ])('refuses the type %j', (mediaType, content) => {
    expect(checkFileType(mediaType, content)).toMatch(/are not accepted/)
  })

  it.each([
    ['image/png', jpeg],
    ['image/jpeg', png],
    ['image/webp', bytes('RIFF1234WAVE')],
  ])('refuses bytes that are not %s', (mediaType, content) => {
    expect(checkFileType(mediaType, content)).toMatch(/not image/)
  })

  it.each(['text/plain', 'text/csv', 'text/markdown', 'application/json', 'image/svg+xml'])('refuses %s that is not UTF-8', (mediaType) => {
    expect(checkFileType(mediaType, Uint8Array.of(0x22, 0xc3, 0x28, 0x22))).toMatch(/UTF-8/)
  })

  it.each(['<!DOCTYPE html><p>', ' \n<html >', '<script>alert(1)</script>', '<iframe src=x>', '\ufeff<body>'])(
    'refuses %j as text',
    (content) => {
      expect(checkFileType('text/plain', bytes(content))).toMatch(/HTML/)
      expect(checkFileType('text/csv; charset=utf-8', bytes(content))).toMatch(/HTML/)
    },
  )

  it('refuses text with a NUL character', () => {
    expect(checkFileType('text/csv', bytes('a,b\0c'))).toMatch(/NUL/)
  })

  it('refuses what is declared as JSON and is not', () => {
    expect(checkFileType('application/json', bytes('{"a":1,}'))).toMatch(/JSON/)
  })

  it.each(['text/csv', 'image/png'])('refuses an empty %s', (mediaType) => {
    expect(checkFileType(mediaType, bytes(''))).toBe('The file is empty.')
  })

  it('refuses an SVG with a script', () => {
    expect(checkFileType('image/svg+xml', bytes('<svg><script>1</script></svg>'))).toMatch(/script/)
  })

  it.each([
    ['image/png', png],
    ['image/jpeg', jpeg],
    ['image/webp', webp],
    ['text/plain', bytes('2014 < 2015')],
    ['text/csv;charset=utf-8', bytes('year,revenue\n2014,86833\n')],
    ['text/markdown', bytes('# Report\n\n<details>x</details>')],
    ['application/json', bytes('{"rows":[]}')],
    ['IMAGE/SVG+XML', bytes('<svg xmlns="http://www.w3.org/2000/svg"/>')],
  ])('takes %s', (mediaType, content) => {
    expect(checkFileType(mediaType, content)).toBeNull()
  })
})
