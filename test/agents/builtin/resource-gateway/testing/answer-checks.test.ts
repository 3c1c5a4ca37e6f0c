import { type ResourceCard, Skill } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { checkSample } from '../../../../../agents/builtin/resource-gateway/testing/answer-checks.ts'
import { shoutSkill } from '../resources.ts'

const port = (name: string, more: object = {}) => ({ name, type: 'text.plain', description: '', optional: false, ...more })
const skill = Skill.parse({
  ...shoutSkill,
  outputs: [port('head', { schema: { type: 'string' } }), port('rest'), port('note', { optional: true })],
})
const faultOf = (value: { [name: string]: string | number } | string) =>
  checkSample({ kind: 'tool' } as ResourceCard, skill, '', { answer: { text: JSON.stringify(value), value } })?.reason ?? null

describe('checkSample', () => {
  it('wants every output of a skill with several by its name, and each as in its schema', () => {
    expect(faultOf({ head: 'a', rest: 'b' })).toBeNull()
    expect(faultOf('a b')).toContain('holds none of them by its name')
    expect(faultOf({ head: 'a' })).toContain('has no rest')
    expect(faultOf({ head: 1, rest: 'b' })).toContain('is not the text.plain')
  })
})
