import { describe, expect, it } from 'vitest'
import { askTextTools } from './ask-text-tools.ts'

const lists = 'Invited: Emma, Noah, Olivia, Liam, Ava, Lucas\nReplied: noah, Ava, Emma'

describe('text.lists', () => {
  it.each([
    [`Who is invited but has not replied?\n${lists}`, 'text.lists: Invited, but not replied: Olivia, Liam, Lucas (3 of 6).'],
    [`Who was invited and replied?\n${lists}`, 'text.lists: In both “Invited” and “Replied”: Emma, Noah, Ava (3 of 6).'],
    ['Which are in Old but not in New? Old: a, b, c / New: b', 'text.lists: Old, but not new: a, c (2 of 3).'],
    ['Which replied but were not invited?\nInvited: Emma, Noah\nReplied: Emma', 'text.lists: Replied, but not invited: none (0 of 1).'],
  ])('%s', async (goal, answer) => {
    expect(await askTextTools(goal)).toBe(answer)
  })

  it.each([
    `Who is invited but has not paid?\n${lists}`,
    `Who of those invited lives in Leeds but has not replied?\n${lists}`,
    'Who is invited but has not replied?\nInvited: Emma, Noah',
  ])('does not take %s', async (goal) => {
    expect(await askTextTools(goal)).not.toMatch(/^text\.lists/)
  })
})
