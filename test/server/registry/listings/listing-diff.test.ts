import { describe, expect, it } from 'vitest'
import { diffListings } from '../../../../server/registry/listings/listing-diff.ts'
import { draftOf } from '../../database-only-world.ts'

const before = draftOf()
const [skill] = before.skills
if (!skill) throw new Error('the draft has a skill')
const port = { name: 'other', type: 'a.b', description: '', optional: false }

describe('diffListings', () => {
  it('sees nothing in the same content with its keys in another order', () => {
    const shuffled = Object.fromEntries(Object.entries(structuredClone(before)).reverse()) as typeof before
    expect(diffListings(before, shuffled)).toEqual([])
  })

  it.each([
    ['a price', { skills: [{ ...skill, price: '1' }] }, [{ what: 'price', skill: 'text.shout', from: '250000', to: '1' }]],
    ['its inputs', { skills: [{ ...skill, inputs: [port] }] }, [{ what: 'inputs', skill: 'text.shout' }]],
    ['its outputs', { skills: [{ ...skill, outputs: [port] }] }, [{ what: 'outputs', skill: 'text.shout' }]],
    ['its words', { skills: [{ ...skill, tags: ['loud'] }] }, [{ what: 'description', skill: 'text.shout' }]],
    [
      'its samples',
      { skills: [{ ...skill, samples: [{ title: 'a', input: 1, output: 'b' }] }] },
      [{ what: 'samples', skill: 'text.shout' }],
    ],
    ['another skill', { skills: [skill, { ...skill, id: 'text.sing' }] }, [{ what: 'skill_added', skill: 'text.sing' }]],
    [
      'a skill in place of another',
      { skills: [{ ...skill, id: 'text.sing' }] },
      [
        { what: 'skill_added', skill: 'text.sing' },
        { what: 'skill_removed', skill: 'text.shout' },
      ],
    ],
    ['who is paid', { payout: `0x${'9'.repeat(40)}` }, [{ what: 'payout', from: before.payout, to: `0x${'9'.repeat(40)}` }]],
    ['the name', { name: 'x' }, [{ what: 'name' }]],
    ['the policy', { policy: { data_use: 'none', max_concurrency: 4 } }, [{ what: 'policy' }]],
  ])('sees %s', (_what, change, changes) => {
    expect(diffListings(before, { ...before, ...change })).toEqual(changes)
  })
})
