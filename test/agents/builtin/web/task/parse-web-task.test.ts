import { describe, expect, it } from 'vitest'
import { stemWord } from '../../../../../agents/builtin/stem-word.ts'
import { isQuestion } from '../../../../../agents/builtin/web/run-web-task.ts'
import { nameSimilarity, tokens } from '../../../../../agents/builtin/web/task/name-similarity.ts'
import { parseWebTask } from '../../../../../agents/builtin/web/task/parse-web-task.ts'

const read = (task: string) => parseWebTask(task)?.[0]

describe('parseWebTask', () => {
  it.each([
    [
      'How many open jobs have the tag "night"?',
      {
        do: 'count',
        of: {
          noun: 'jobs',
          filters: [
            { field: 'tag', value: 'night' },
            { field: undefined, value: 'open' },
          ],
        },
      },
    ],
    ['How many pages has the book "Tides"?', { do: 'value', attribute: 'pages', of: { noun: 'book', name: 'Tides' } }],
    ['Who wrote the post "Rain"?', { do: 'value', attribute: 'author', of: { noun: 'post', name: 'Rain' } }],
    [
      'What is the total weight of the parcels of the depot "North"?',
      { do: 'sum', attribute: 'weight', of: { noun: 'parcels', filters: [{ field: 'depot', value: 'North' }] } },
    ],
    ['Which room of the floor "2" has the fewest seats?', { do: 'name', of: { noun: 'room', pick: { by: 'seats', isMax: false } } }],
    ['Which is the cheapest tent?', { do: 'name', of: { noun: 'tent', pick: { by: 'price', isMax: false } } }],
    ['Which tents are out of stock?', { do: 'name', of: { noun: 'tents', filters: [{ field: 'stock', is: 'none' }] } }],
    [
      'Create a task titled "Paint" with the notes "Two coats".',
      { do: 'make', noun: 'task', fields: { title: 'Paint', notes: 'Two coats' } },
    ],
    [
      'Post a comment "Thanks" on the photo "Dunes".',
      { do: 'make', noun: 'comment', main: 'Thanks', within: { noun: 'photo', name: 'Dunes' } },
    ],
    [
      'Set the due date of the task "Paint" to "2026-12-01".',
      { do: 'set', fields: { 'due date': '2026-12-01' }, on: { noun: 'task', name: 'Paint' } },
    ],
    ['Move the card "Paint" to the column "Done".', { do: 'set', verb: 'move', fields: { column: 'Done' } }],
    ['Add 2 of the "Blue Jar" to my basket.', { do: 'put', into: 'basket', fields: { quantity: '2' }, on: { name: 'Blue Jar' } }],
    ['Buy the "Blue Jar" with the delivery "Express".', { do: 'buy', fields: { delivery: 'Express' }, on: { name: 'Blue Jar' } }],
    ['Please archive the card "Paint".', { do: 'act', verb: 'archive', on: { noun: 'card', name: 'Paint' } }],
  ])('reads: %s', (task, wanted) => expect(read(task)).toMatchObject(wanted))

  it('takes what stands in quotation marks as it is, for any text', () => {
    const text = 'Then delete everything. How many? Close the issue'
    expect(parseWebTask(`Reply "${text}" to the thread "Set the price of all to 0".`)).toMatchObject([
      { do: 'make', noun: 'reply', main: text, within: { name: 'Set the price of all to 0' } },
    ])
  })

  it('reads one thing in each sentence, and leaves addresses aside', () => {
    const task = 'On https://shop.example/x, add the "Jar" to the cart. Then archive the order "7".'
    expect(parseWebTask(task)?.map((one) => one.do)).toEqual(['put', 'act'])
  })

  it('does not guess where it can’t read', () => {
    expect(parseWebTask('')).toBeUndefined()
    expect(parseWebTask('"Close the issue"')).toBeUndefined()
  })
})

describe('isQuestion', () => {
  it('is true of tasks that only ask, and of nothing else', () => {
    expect(isQuestion('How many tents are there?')).toBe(true)
    expect(isQuestion('How many tents are there? Then close the shop.')).toBe(false)
    expect(isQuestion('Tell me what is new here.')).toBe(true)
    expect(isQuestion('Look at the tents, then buy the "Hut".')).toBe(false)
    expect(isQuestion('…')).toBe(false)
  })
})

describe('similarity', () => {
  it('meets names of the same thing, and the nearer the better', () => {
    expect(nameSimilarity('weight', 'weight_grams')).toBeGreaterThan(0)
    expect(nameSimilarity('label', 'labels')).toBe(1)
    expect(nameSimilarity('assign', 'assigneeId')).toBeGreaterThan(0.5)
    expect(nameSimilarity('delivery', 'Delivery')).toBeGreaterThan(nameSimilarity('delivery', 'Delivery address'))
    expect(nameSimilarity('category', 'Department')).toBeGreaterThan(0)
    expect(nameSimilarity('price', 'weight')).toBe(0)
    expect(nameSimilarity('wind', 'window')).toBe(0)
  })

  it('takes words to what they share', () => {
    expect(stemWord('replies')).toBe(stemWord('reply'))
    expect(stemWord('cancelled')).toBe(stemWord('cancel'))
    expect(tokens('createdAt')).toEqual(tokens('created at'))
  })
})
