import { acceptances, conversationStates, goalStates, holdStates, stepStates, taskStates, transferStates } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { stateChipStyle, stateChipStyles } from '../../../../app/_components/ui/state-chip.tsx'
import { translate } from '../../translate.ts'

const t = translate('ui.stateChip')

describe('stateChipStyles', () => {
  it.each([
    ['goal', goalStates],
    ['conversation', conversationStates],
    ['step', stepStates],
    ['task', taskStates],
    ['acceptance', acceptances],
    ['hold', holdStates],
    ['transfer', transferStates],
  ] as const)('has a word and an icon for every state of a %s', (kind, states) => {
    expect(Object.keys(stateChipStyles[kind]).sort()).toEqual([...states].sort())
    const words = Object.values(stateChipStyles[kind]).map(([, , word]) => t(word))
    expect(words.every((word) => word.length > 2)).toBe(true)
  })

  it('shows a state that this version does not know by its own name', () => {
    expect(stateChipStyle('task', 'half_asleep', t)[2]).toBe('half asleep')
    expect(stateChipStyle('task', 'constructor', t)[2]).toBe('constructor')
  })
})
