import { describe, expect, it } from 'vitest'
import { facetLabel } from '../../../app/_agents/facet-label.ts'

const labelOf = (filter: Parameters<typeof facetLabel>[0], value: string, label = value) => facetLabel(filter, { value, label }, 'en')

describe('facetLabel', () => {
  it('names languages, regions and protocols as people do', () => {
    expect(labelOf('language', 'pt-br')).toBe('Brazilian Portuguese')
    expect(labelOf('region', 'DE')).toBe('Germany')
    expect(labelOf('protocol', 'a2a')).toBe('A2A')
  })

  it('writes types and terms in words, and skills by their name', () => {
    expect(labelOf('output', 'dataset.annual_revenue')).toBe('Dataset: annual revenue')
    expect(labelOf('policy', 'no_training')).toBe('No training')
    expect(labelOf('skill', 'text.translate', 'Translate text')).toBe('Translate text')
  })

  it('shows a tag that is not registered as it is', () => {
    expect(labelOf('language', 'xx-1234567890')).toBe('xx-1234567890')
    expect(labelOf('region', 'XQ')).toBe('XQ')
  })
})
