import { Skill } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { toArtifacts } from '../../../../../agents/builtin/resource-gateway/proxy/resource-input-and-artifacts.ts'
import { shoutSkill } from '../resources.ts'

const port = (name: string, type: string, optional = false) => ({ name, type, description: '', optional })
const skill = Skill.parse({
  ...shoutSkill,
  id: 'text.behead',
  outputs: [port('head', 'text.head'), port('rest', 'list.rest'), port('note', 'text.note', true)],
})
const answer = (value: Parameters<typeof toArtifacts>[1]['value']) => toArtifacts(skill, { text: JSON.stringify(value), value })

describe('toArtifacts', () => {
  it('makes a file of each output, and of an optional one where it is there', () => {
    expect(answer({ head: 'a', rest: ['b'], more: 1 })).toEqual({
      artifacts: [
        { name: 'head.txt', media_type: 'text/plain', artifact_type: 'text.head', content: 'a' },
        { name: 'rest.json', media_type: 'application/json', artifact_type: 'list.rest', content: '["b"]' },
      ],
    })
    expect(answer({ head: 'a', rest: [], note: 'n' })).toMatchObject({ artifacts: [{}, {}, { name: 'note.txt' }] })
  })

  it('has nothing to deliver where an output is missing, or none has its name', () => {
    expect(answer({ head: 'a', rest: null })).toEqual({ fault: 'The answer of text.behead has no rest.' })
    for (const value of ['a', ['a'], null]) expect(answer(value)).toMatchObject({ fault: expect.stringContaining('3 outputs') })
  })

  it('takes the whole answer for the only output', () => {
    const text = '{"head":"a"}'
    expect(toArtifacts(Skill.parse(shoutSkill), { text, value: { head: 'a' } })).toMatchObject({
      artifacts: [{ name: 'loud.json', artifact_type: 'text.plain', content: text }],
    })
  })
})
