import type { Verification } from '@parley/protocol'
import type { Translate } from '../../../../_messages/translate-types.ts'

/** The result of a verification, in one sentence. */
export function verificationSentence(
  { outcome, count, erased, matchedSeq, broken }: Verification,
  t: Translate<'views.verification'>,
): string {
  const [first] = broken
  switch (outcome) {
    case 'proven':
      return t('proven', { count, seq: String(matchedSeq), erased })
    case 'intact':
      return t('intact', { count, erased })
    case 'differs':
      return t('differs', { count })
    case 'broken': {
      const reason: 'gap' | 'signature' | 'unreadable' | 'unlinked' = first?.reason ?? 'unreadable'
      return t(reason, { seq: String(first?.seq) })
    }
    default:
      return outcome satisfies never
  }
}
