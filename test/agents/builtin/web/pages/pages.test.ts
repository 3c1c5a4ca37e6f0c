import { describe, expect, it } from 'vitest'
import { fillForm, pressable } from '../../../../../agents/builtin/web/pages/forms.ts'
import { factsInText, factsOn, itemsOn } from '../../../../../agents/builtin/web/pages/page-extract.ts'
import { outlineOf } from '../../../../../agents/builtin/web/pages/page-summary.ts'
import { all, readTree, textOf } from '../../../../../agents/builtin/web/steps/accessibility-tree.ts'
import { fits, pickOf } from '../../../../../agents/builtin/web/task/records.ts'

const pageOf = (snapshot: string, url = 'https://site.example/list') => ({
  url,
  title: 'Title',
  tree: readTree(snapshot),
  downloads: [],
})

const list = `
- generic [ref=e1]:
  - banner [ref=e2]:
    - navigation "Main" [ref=e3]:
      - link "Books" [ref=e4] [cursor=pointer]:
        - /url: /books
  - main [ref=e5]:
    - 'heading "Books: \\"all\\"" [level=1] [ref=e6]'
    - table [ref=e7]:
      - row [ref=e8]:
        - columnheader "Title" [ref=e9]
        - columnheader "Pages" [ref=e10]
      - row [ref=e11]:
        - cell [ref=e12]:
          - 'link "Tides: a study" [ref=e13] [cursor=pointer]':
            - /url: /books/1
        - cell "312" [ref=e14]
    - list [ref=e15]:
      - listitem [ref=e16]:
        - link "Rain" [ref=e17]:
          - /url: "/books/2"
        - text: by somebody · 12 loans · in Weather`

describe('readTree', () => {
  it('reads roles, names, refs and addresses, also of names with colons and quotes', () => {
    const tree = readTree(list)
    expect(all(tree, 'heading').map(textOf)).toEqual(['Books: "all"'])
    expect(all(tree, 'link').map(({ name, ref, url }) => ({ name, ref, url }))).toEqual([
      { name: 'Books', ref: 'e4', url: '/books' },
      { name: 'Tides: a study', ref: 'e13', url: '/books/1' },
      { name: 'Rain', ref: 'e17', url: '/books/2' },
    ])
  })

  it('reads whatever it is given', () => expect(readTree('- \n- "\n  - : x\n-').children.length).toBeGreaterThan(0))
})

describe('itemsOn', () => {
  it('reads rows by their heads and entries by their words, and leaves the navigation aside', () => {
    expect(itemsOn(pageOf(list))).toEqual([
      { name: 'Tides: a study', facts: { Title: 'Tides: a study', Pages: '312' }, ref: 'e13', url: 'https://site.example/books/1' },
      { name: 'Rain', facts: { author: 'somebody', loans: '12', category: 'Weather' }, ref: 'e17', url: 'https://site.example/books/2' },
    ])
  })
})

describe('factsOn', () => {
  it('reads terms, labelled values and prices', () => {
    const page = pageOf(
      '- main:\n  - heading "Tides"\n  - term: Pages\n  - definition: "312"\n  - paragraph: "Shelf: B 4"\n  - paragraph: $4.20',
    )
    expect(factsOn(page)).toMatchObject({ name: 'Tides', facts: { Pages: '312', Shelf: 'B 4', price: '$4.20' } })
    expect(factsInText('Started by member-7 in Weather')).toEqual({ author: 'member-7', category: 'Weather' })
  })
})

const form = `
- main [ref=e1]:
  - generic [ref=e2]:
    - button "Delete book" [ref=e3]
  - generic [ref=e4]:
    - textbox "Subject" [ref=e5]
    - combobox "Shelf" [ref=e6]:
      - option "A" [selected]
      - option "B"
    - group "Loan" [ref=e7]:
      - radio "Week" [ref=e8]
      - radio "Month" [ref=e9]
    - textbox "Your words" [ref=e10]
    - button "Save" [ref=e11]
  - generic [ref=e12]:
    - spinbutton "Copies" [ref=e13]
    - button "Stop lending" [ref=e14]
    - button "Lend book" [ref=e15]`

describe('fillForm', () => {
  const root = readTree(form)
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
    expect(pressable(root, 'lend', 'book')?.ref).toBe('e15')
    expect(pressable(root, 'paint', 'book')).toBeUndefined()
    expect(pressable(readTree('- button "Stop lending" [ref=e1]'), 'lend', '')).toBeUndefined()
  })
})

describe('outlineOf', () => {
  it('says what can be acted on, in few words', () => {
    const outline = outlineOf(readTree(form))
    expect(outline).toContain('textbox "Subject" [e5]')
    expect(outline).not.toContain('[e2]')
    expect(outline.length).toBeLessThan(form.length)
  })
})

describe('fits', () => {
  const item = { name: 'Tides', facts: { keeper_id: 7, keeper: 'Night shift', tags: ['new', 'blue'], stock: 'Sold out', price: '$4.20' } }
  const equal = (field: string | undefined, value: string) => fits(item, { field, value, is: 'equal' })
  it('holds a filter against what is told, by id or by name, and says where nothing is told', () => {
    expect([equal('keeper', 'night shift'), equal('keeper', '7'), equal('keeper', '8')]).toEqual([true, true, false])
    expect([equal('tag', 'blue'), equal(undefined, 'blue'), equal(undefined, 'red')]).toEqual([true, true, false])
    expect(equal('weight', '3')).toBeUndefined()
    expect(fits(item, { field: 'stock', value: '0', is: 'none' })).toBe(true)
    expect(fits(item, { field: 'price', value: '4', is: 'over' })).toBe(true)
  })

  it('picks only where all tell', () => {
    const other = { name: 'Rain', facts: { price: '$1,200' } }
    expect(pickOf([item, other], { by: 'price', most: true })?.name).toBe('Rain')
    expect(pickOf([item, { name: 'Fog', facts: {} }], { by: 'price', most: true })).toBeUndefined()
  })
})
