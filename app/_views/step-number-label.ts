import type { Translate } from '../_messages/translate-types.ts'

/** The number of a step from 1. The contract counts from 0. */
export const stepNumberLabel = (index: number, t: Translate<'wallet.chain'>): string => t('step', { step: index + 1, index })
