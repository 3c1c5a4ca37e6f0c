import { describe, expect, it } from 'vitest'
import { askTextTools } from './ask-text-tools.ts'

const config = '[server]\r\nhost = 0.0.0.0\r\n'
const digest = 'c02917a4527cecd12e0530ff019664d5866bf64ed8d7be890ba0a7430314e733'
const other = '0487fd69753896ab0c304b641a524a59815e1400a8ca33622ebbba9394254f47'

describe('text.checksum', () => {
  it.each([
    [`The vendor says the sha256 of 0.txt has to be ${other} . Does the file I've got match?`, 'No, it does not match. '],
    [`is the sha256 of this file ${digest}?`, 'Yes, it matches. '],
    [`Please verify the download. SHA-256: ${digest.toUpperCase()}`, 'Yes, it matches. '],
    [`checksum should be ${other}. does it match`, 'No, it does not match. '],
    ['sha-256 of the attached file please', ''],
  ])('reads %s', async (text, verdict) => {
    expect(await askTextTools(text, config)).toContain(`text.checksum: ${verdict}The SHA-256 of the attached file (26 bytes) is ${digest}.`)
  })

  it('asks where the value has another length', async () => {
    expect(await askTextTools(`sha256 ${other.slice(0, 40)} ok?`, config)).toBe('text.checksum asks')
  })

  it.each(['check the hash of the file and email me the result', `delete the file if its sha256 is not ${other}`])(
    'does not read %s',
    async (text) => {
      expect(await askTextTools(text, config)).not.toMatch(/^text\.checksum/)
    },
  )
})
