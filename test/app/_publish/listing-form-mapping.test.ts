import { describe, expect, it } from 'vitest'
import {
  formStepOfField,
  type ListingFormValues,
  listingToForm,
  newListing,
  readListingForm,
} from '../../../app/_publish/listing-form-mapping.ts'
import { translate } from '../translate.ts'

const t = translate('publish.faults')

const payout = '0x00000000000000000000000000000000000000aa'

function filled(): ListingFormValues {
  const form = newListing(payout)
  const [skill] = form.skills
  const [input] = skill?.inputs ?? []
  const [output] = skill?.outputs ?? []
  if (!skill || !input || !output) throw new Error('a new listing has one skill with one port each')
  return {
    ...form,
    handle: 'fact-finder',
    name: ' Fact finder ',
    summary: 'Finds facts.',
    skills: [
      {
        ...skill,
        id: 'facts.find',
        name: 'Find facts',
        price: '0.5',
        tags: 'history, , maths ',
        inputs: [{ ...input, name: 'question', type: 'query.text' }],
        outputs: [{ ...output, name: 'facts', type: 'report.markdown' }],
      },
    ],
  }
}

describe('readForm', () => {
  it('makes a draft of what is filled in, prices in base units', () => {
    const { draft, faults } = readListingForm(filled(), 6, t)
    expect(faults).toEqual({})
    expect(draft).toMatchObject({ name: 'Fact finder', payout, policy: { max_concurrency: 4, data_use: '' } })
    expect(draft?.skills[0]).toMatchObject({ price: '500000', tags: ['history', 'maths'] })
    expect(Object.keys(draft?.skills[0]?.inputs[0] ?? {})).not.toContain('key')
  })

  it('states in a sentence what is wrong with each field of an empty form', () => {
    const { draft, faults } = readListingForm(newListing(payout), 6, t)
    expect(draft).toBeNull()
    const paths = [
      'handle',
      'name',
      'summary',
      'skills.0.id',
      'skills.0.name',
      'skills.0.price',
      'skills.0.inputs.0.type',
      'skills.0.outputs.0.name',
    ]
    for (const path of paths) expect(faults[path], path).toMatch(/[.]$/)
  })

  it.each([
    ['12,50', /digits and at most one point/],
    ['0.1234567', /at most 6 digits/],
    ['99999999999999999999', /higher than the ledger can store/],
  ])('refuses the price %s', (price, sentence) => {
    const form = filled()
    form.skills = form.skills.map((skill) => ({ ...skill, price }))
    const { draft, faults } = readListingForm(form, 6, t)
    expect(draft).toBeNull()
    expect(faults['skills.0.price']).toMatch(sentence)
  })

  it('refuses two skills of one id', () => {
    const form = filled()
    const { draft, faults } = readListingForm({ ...form, skills: [...form.skills, ...form.skills] }, 6, t)
    expect(draft).toBeNull()
    expect(faults['skills.1.id']).toBe('Another skill of this agent has this id. Enter a different id.')
  })

  it('puts every fault on a step where its field is', () => {
    expect(['handle', 'skills.0.price', 'payout', 'policy.max_concurrency'].map(formStepOfField)).toEqual([0, 1, 2, 2])
  })
})

describe('royalties', () => {
  const id = `agt_${'0'.repeat(31)}1`
  it('are read a line each, in per cent', () => {
    const { draft } = readListingForm({ ...filled(), royalties: `${id} 12.5 %\n\n${id.replace(/1$/, '2')} 5` }, 6, t)
    expect(draft?.royalties).toEqual([
      { agent_id: id, bps: 1_250 },
      { agent_id: id.replace(/1$/, '2'), bps: 500 },
    ])
    if (!draft) throw new Error('the form is valid')
    expect(readListingForm(listingToForm(draft, 6), 6, t).draft).toEqual(draft)
    expect(readListingForm(filled(), 6, t).draft).not.toHaveProperty('royalties')
  })
  it.each([`${id} 51 %`, `${id} 0`, `${id}`, `${id} 1.005 %`, 'somebody 5 %', `${id} 30\n${id.replace(/1$/, '2')} 30`])(
    'refuses %j',
    (royalties) => {
      const { draft, faults } = readListingForm({ ...filled(), royalties }, 6, t)
      expect(draft).toBeNull()
      expect(faults.royalties).toBeTruthy()
    },
  )
})

describe('listingToForm', () => {
  it('gives back the same draft when nothing is changed', () => {
    const { draft } = readListingForm(filled(), 6, t)
    if (!draft) throw new Error('the form is valid')
    const listing = {
      ...draft,
      royalties: [],
      agent_id: 'agt_00000000000000000000000000000001' as const,
      did: 'did:web:localhost:agents:fact-finder' as const,
      owner_id: 'did:pkh:eip155:31337:0x00000000000000000000000000000000000000aa',
      presence: 'offline' as const,
      last_seen_at: null,
      published_at: '2026-01-01T00:00:00.000Z',
      revised_at: '2026-01-01T00:00:00.000Z',
      withdrawn_at: null,
      version: 1,
      score: { n: 0, mean: null, score: 70, paid_steps: 0, payers: 0, failed_steps: 0 },
    }
    expect(readListingForm(listingToForm(listing, 6), 6, t).draft).toEqual(draft)
  })
})
