import { describe, expect, it } from 'vitest'
import { detectAttachmentType } from '../../../../../agents/builtin/planner/intent/detect-attachment-type.ts'

const csv = { name: 'a.csv', sha256: 'h', media_type: 'text/csv', artifact_type: '', size: 1 }

describe('detectAttachmentType', () => {
  it.each([
    [{}, 'table.csv'],
    [{ artifact_type: 'attachment', name: 'a.json', media_type: 'application/json' }, 'table.json'],
    [{ artifact_type: '', name: 'a.tsv', media_type: 'application/octet-stream' }, 'table.csv'],
    [{ artifact_type: '', name: 'a.txt', media_type: 'text/plain; charset=utf-8' }, 'document.text'],
    [{ name: 'broken.json', media_type: 'text/plain' }, 'document.text'],
    [{ name: 'app.log', media_type: 'application/octet-stream' }, 'document.text'],
    [{ artifact_type: 'image.png', name: 'a', media_type: 'image/png' }, 'image.png'],
    [{ artifact_type: 'file.any', name: 'a.txt', media_type: 'text/plain' }, 'document.text'],
    [{ artifact_type: 'file.any', name: 'a.json', media_type: 'application/json' }, 'table.json'],
    [{ artifact_type: 'file.any', name: 'a.png', media_type: 'image/png' }, 'image.photo'],
    [{ artifact_type: 'file.any', name: 'a.svg', media_type: 'image/svg+xml' }, 'file.any'],
  ])('recognizes %j', (more, type) => {
    expect(detectAttachmentType({ ...csv, ...more } as never)).toBe(type)
  })
})
