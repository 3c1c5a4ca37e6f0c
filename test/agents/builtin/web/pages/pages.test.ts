import { describe, expect, it } from 'vitest'
import { extractFacts, extractRecords, parseFacts } from '../../../../../agents/builtin/web/pages/extract-records-and-facts.ts'
import { fillForm, findPressable } from '../../../../../agents/builtin/web/pages/fill-form.ts'
import { summarizePage } from '../../../../../agents/builtin/web/pages/summarize-page.ts'
import {
  type AriaNode,
  buildAccessibilityTree,
  findByRole,
  visibleTextOf,
} from '../../../../../agents/builtin/web/steps/accessibility-tree.ts'
import { matchesFilter, pickRecord } from '../../../../../agents/builtin/web/task/site-record.ts'

const pageOf = (snapshot: readonly AriaNode[], url = 'https://site.example/list') => ({
  url,
  title: 'Title',
  tree: buildAccessibilityTree(snapshot),
  downloads: [],
})

const list = [
  {
    role: 'generic',
    ref: 'e1',
    children: [
      {
        role: 'banner',
        ref: 'e2',
        children: [
          {
            role: 'navigation',
            name: 'Main',
            ref: 'e3',
            children: [{ role: 'link', name: 'Books', ref: 'e4', url: '/books', cursor: 'pointer' }],
          },
        ],
      },
      {
        role: 'main',
        ref: 'e5',
        children: [
          { role: 'heading', name: 'Books: "all"', ref: 'e6', level: 1 },
          {
            role: 'table',
            ref: 'e7',
            children: [
              {
                role: 'row',
                ref: 'e8',
                children: [
                  { role: 'columnheader', name: 'Title', ref: 'e9' },
                  { role: 'columnheader', name: 'Pages', ref: 'e10' },
                ],
              },
              {
                role: 'row',
                ref: 'e11',
                children: [
                  {
                    role: 'cell',
                    ref: 'e12',
                    children: [{ role: 'link', name: 'Tides: a study', ref: 'e13', url: '/books/1', cursor: 'pointer' }],
                  },
                  { role: 'cell', name: '312', ref: 'e14' },
                ],
              },
            ],
          },
          {
            role: 'list',
            ref: 'e15',
            children: [
              {
                role: 'listitem',
                ref: 'e16',
                children: [{ role: 'link', name: 'Rain', ref: 'e17', url: '/books/2' }, 'by somebody · 12 loans · in Weather'],
              },
            ],
          },
        ],
      },
    ],
  },
]

describe('buildTree', () => {
  it('has roles, names, refs, addresses and states', () => {
    const tree = buildAccessibilityTree(list)
    expect(findByRole(tree, 'heading').map(visibleTextOf)).toEqual(['Books: "all"'])
    expect(findByRole(tree, 'link').map(({ name, ref, url }) => ({ name, ref, url }))).toEqual([
      { name: 'Books', ref: 'e4', url: '/books' },
      { name: 'Tides: a study', ref: 'e13', url: '/books/1' },
      { name: 'Rain', ref: 'e17', url: '/books/2' },
    ])
    expect(findByRole(tree, 'heading')[0]?.flags).toEqual(['level=1'])
  })

  it('has the content of a field beside its placeholder', () => {
    const tree = buildAccessibilityTree([{ role: 'textbox', name: 'Subject', ref: 'e1', placeholder: 'Any', text: 'Tides', invalid: true }])
    expect(findByRole(tree, 'textbox')).toMatchObject([{ value: 'Tides', flags: ['invalid'] }])
  })

  it('is bounded in nodes and characters', () => {
    const words = (length: number) => Array.from({ length: 10_000 }, () => 'x'.repeat(length))
    expect(buildAccessibilityTree(words(1)).children).toHaveLength(6_000)
    expect(buildAccessibilityTree(words(100)).children).toHaveLength(4_000)
  })
})

describe('extractRecords', () => {
  it('reads rows by their heads and entries by their words, and leaves the navigation aside', () => {
    expect(extractRecords(pageOf(list))).toEqual([
      { name: 'Tides: a study', facts: { Title: 'Tides: a study', Pages: '312' }, ref: 'e13', url: 'https://site.example/books/1' },
      { name: 'Rain', facts: { author: 'somebody', loans: '12', category: 'Weather' }, ref: 'e17', url: 'https://site.example/books/2' },
    ])
  })
})

describe('extractFacts', () => {
  it('reads terms, labelled values and prices', () => {
    const page = pageOf([
      {
        role: 'main',
        children: [
          { role: 'heading', name: 'Tides' },
          { role: 'term', text: 'Pages' },
          { role: 'definition', text: '312' },
          { role: 'paragraph', text: 'Shelf: B 4' },
          { role: 'paragraph', text: '$4.20' },
        ],
      },
    ])
    expect(extractFacts(page)).toMatchObject({ name: 'Tides', facts: { Pages: '312', Shelf: 'B 4', price: '$4.20' } })
    expect(parseFacts('Started by member-7 in Weather')).toEqual({ author: 'member-7', category: 'Weather' })
  })
})

const form = [
  {
    role: 'main',
    ref: 'e1',
    children: [
      { role: 'generic', ref: 'e2', children: [{ role: 'button', name: 'Delete book', ref: 'e3' }] },
      {
        role: 'generic',
        ref: 'e4',
        children: [
          { role: 'textbox', name: 'Subject', ref: 'e5' },
          {
            role: 'combobox',
            name: 'Shelf',
            ref: 'e6',
            children: [
              { role: 'option', name: 'A', selected: true },
              { role: 'option', name: 'B' },
            ],
          },
          {
            role: 'group',
            name: 'Loan',
            ref: 'e7',
            children: [
              { role: 'radio', name: 'Week', ref: 'e8' },
              { role: 'radio', name: 'Month', ref: 'e9' },
            ],
          },
          { role: 'textbox', name: 'Your words', ref: 'e10' },
          { role: 'button', name: 'Save', ref: 'e11' },
        ],
      },
      {
        role: 'generic',
        ref: 'e12',
        children: [
          { role: 'spinbutton', name: 'Copies', ref: 'e13' },
          { role: 'button', name: 'Stop lending', ref: 'e14' },
          { role: 'button', name: 'Lend book', ref: 'e15' },
        ],
      },
    ],
  },
]

describe('fillForm', () => {
  const root = buildAccessibilityTree(form)
  it('puts each value where its label, its options or the kind of field say', () => {
    const filled = fillForm(root, { fields: { title: 'Tides', shelf: 'B', loan: 'Month', text: 'Long.' }, words: ['save'] })
    expect(filled?.button.ref).toBe('e11')
    expect(filled?.steps).toMatchObject([
      { act: 'fill', ref: 'e5', value: 'Tides' },
      { act: 'select', ref: 'e6', value: 'B' },
      { act: 'check', ref: 'e9' },
      { act: 'fill', ref: 'e10', value: 'Long.' },
    ])
  })

  it('takes no form that has no place for a value', () => {
    expect(fillForm(root, { fields: { colour: 'red' }, words: ['save'] })).toBeUndefined()
    expect(fillForm(root, { fields: { shelf: 'Z' }, words: ['save'] })).toBeUndefined()
    expect(fillForm(root, { fields: { copies: 'many' }, words: ['lend'] })).toBeUndefined()
  })

  it('presses what does it, and never what undoes it', () => {
    expect(findPressable(root, 'lend', 'book')?.ref).toBe('e15')
    expect(findPressable(root, 'paint', 'book')).toBeUndefined()
    expect(findPressable(buildAccessibilityTree([{ role: 'button', name: 'Stop lending', ref: 'e1' }]), 'lend', '')).toBeUndefined()
  })
})

describe('summarizePage', () => {
  it('states what can be acted on, in few words', () => {
    const outline = summarizePage(buildAccessibilityTree(form))
    expect(outline).toContain('textbox "Subject" [e5]')
    expect(outline).not.toContain('[e2]')
    expect(outline.length).toBeLessThan(JSON.stringify(form).length)
  })
})

describe('matchesFilter', () => {
  const item = { name: 'Tides', facts: { keeper_id: 7, keeper: 'Night shift', tags: ['new', 'blue'], stock: 'Sold out', price: '$4.20' } }
  const equal = (field: string | undefined, value: string) => matchesFilter(item, { field, value, is: 'equal' })
  it('compares a filter with the facts, by id or by name, and states where there are none', () => {
    expect([equal('keeper', 'night shift'), equal('keeper', '7'), equal('keeper', '8')]).toEqual([true, true, false])
    expect([equal('tag', 'blue'), equal(undefined, 'blue'), equal(undefined, 'red')]).toEqual([true, true, false])
    expect(equal('weight', '3')).toBeUndefined()
    expect(matchesFilter(item, { field: 'stock', value: '0', is: 'none' })).toBe(true)
    expect(matchesFilter(item, { field: 'price', value: '4', is: 'over' })).toBe(true)
  })

  it('picks only if all records have the fact', () => {
    const other = { name: 'Rain', facts: { price: '$1,200' } }
    expect(pickRecord([item, other], { by: 'price', isMax: true })?.name).toBe('Rain')
    expect(pickRecord([item, { name: 'Fog', facts: {} }], { by: 'price', isMax: true })).toBeUndefined()
  })
})
