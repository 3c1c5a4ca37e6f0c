/** Divides a question into parts that are answered one by one. */
import { splitSentences } from '../../../numbers/split-sentences.ts'

const questionStart = String.raw`(?:(?:roughly|approximately|about|in which) )?(?:which|what|what's|who|when|where|how (?:many|much|often)|in which|on which|by how much|list|show|give|tell|calculate|compute|find|name|how old|whats|is there|are there|is any(?:thing)?|is something|are any|check|do i have|do we have)\b`
const joint = new RegExp(
  String.raw`(?:,|;|\s-)?\s*\b(?:and also|and then|and|then|also|plus|as well as)\s+(?=${questionStart})|,\s+(?=${questionStart})|\s*(?:^|\s)\(?\d{1,2}[.)]\s+(?=\p{L})|\s*:\s+(?=(?:the )?(?:total|sum|average|mean|median|count|number of|how|which|what|who)\b)|\s*\n\s*[-*•]\s+`,
  'giu',
)

/** What stands before a colon, such as "I want to know". */
const leadIn =
  /^(?:(?:please|i|we|would|just|like|to|want|need|know|can|could|you|tell|me|us|give|show|the|following|this|these|things?|questions?|answer|have|some|two|three|about|hi|hello|hey|is|get|so|my|here|are)\b[\s,']*)+$/i

/** Sentences that give thanks or a reason, without anything to compute. */
const isEmpty = (text: string): boolean =>
  /^(?:please|(?:thanks|thank you|thx)(?: a lot| so much| very much| in advance)?|hi|hello|hey|dear \w+|good morning|best regards|regards|cheers|many thanks)?[\s,.!]*$/i.test(
    text,
  )

const extremes = '(?:the )?(?:highest|maximum|max|largest|biggest|lowest|minimum|min|smallest)(?: value)?'
const rangeWords = new RegExp(String.raw`\b(?:difference|gap|spread) between ${extremes} and ${extremes}(?= )`, 'gi')

/** "difference between the highest and lowest revenue" is "range of revenue". */
const withRange = (question: string): string => question.replace(rangeWords, 'range of')

const orderWords =
  /,? \(?(?:sorted |ordered |ranked )?(?:with )?(?:the )?(?:(highest|largest|biggest)|lowest|smallest)(?: ones?| values?)? first\)?(?=[\s.,?!]|$)/gi

/** "per customer, highest first" is "per customer sorted descending". */
const withOrder = (question: string): string =>
  question.replace(orderWords, (_, highest: string | undefined) => (highest ? ' sorted descending' : ' sorted ascending'))

/** At most 12 parts. */
export const maxParts = 12

/** `isFollowUp`: it stands behind another part in the same sentence, or begins with "and". */
export type QuestionPart = { readonly text: string; readonly isFollowUp: boolean }

export function splitQuestionParts(question: string): QuestionPart[] {
  return splitSentences(withOrder(withRange(question)))
    .flatMap((sentence) => {
      const texts = sentence.split(joint).map((part) =>
        (part ?? '')
          .replace(/^[\s,;:–-]+/, '')
          .replace(/(?<![\s,;:?])[\s,;:?]+$/, '')
          .trim(),
      )
      return texts
        .filter((part) => part !== '' && !isEmpty(part) && !leadIn.test(part))
        .map((text, index): QuestionPart => ({ text, isFollowUp: index > 0 || /^(?:and|also|then)\b/i.test(sentence) }))
    })
    .slice(0, maxParts)
}
