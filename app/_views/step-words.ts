import type { Translate } from '../_messages/translate.ts'

/** A step as people number it, where the contract counts from zero. */
export const stepWords = (index: number, t: Translate<'wallet.chain'>): string => t('step', { step: index + 1, index })
