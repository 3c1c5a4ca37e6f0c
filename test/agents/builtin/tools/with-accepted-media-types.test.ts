import { fileContentFault } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { builtinTools } from '../../../../agents/builtin/tools/index.ts'
import { withAcceptedMediaTypes } from '../../../../agents/builtin/tools/with-accepted-media-types.ts'

const typeOf = async (media_type: string, text: string) => {
  const tool = { ...builtinTools[0], run: () => ({ text: '', outputs: [{ name: 'a', media_type, artifact_type: 'a.b', text }] }) }
  const [file] = (await withAcceptedMediaTypes(tool as never).run({ inputs: [] })).outputs
  return file?.media_type
}

describe('withAcceptedMediaTypes', () => {
  it.each([
    ['application/yaml', 'a: 1', 'text/plain'],
    ['text/html', '<h1>Title</h1>', 'text/markdown'],
    ['text/plain', '<table><tr></tr></table>', 'text/markdown'],
    ['text/css', 'a { color: red }', 'text/plain'],
    ['application/json', '{"a":1}', 'application/json'],
    ['text/csv', 'a,b\n', 'text/csv'],
    ['text/plain', '', 'text/plain'],
  ])('%s', async (mediaType, text, expected) => {
    expect(await typeOf(mediaType, text)).toBe(expected)
  })

  it.each([
    ['format.json', { action: 'to_yaml', text: '{"a":"no"}' }],
    ['format.markdown', { text: '# Title', to: 'html' }],
    ['text.transform', { operations: ['lower_case'], text: '<P>HELLO</P>' }],
  ])('lets the market take the file of %s', async (id, data) => {
    const tool = builtinTools.find(({ skill }) => skill.id === id)
    const type = tool?.skill.inputs[0]?.type ?? ''
    const response = await tool?.run({ inputs: [{ port: 'query', type, data: data as never }] })
    expect(response?.outputs.map(({ media_type, text }) => fileContentFault(media_type, new TextEncoder().encode(text)))).toEqual([null])
  })
})
