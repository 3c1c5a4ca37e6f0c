/** Whether a sentence asks for work that is no calculation, such as a text or a picture. */
import { stripPoliteness } from '../strip-politeness.ts'

const otherWork =
  /^(?:write|draft|compose|translate|summari[sz]e|plan|book|buy|order|draw|plot|chart|design|build|paint|research|compare|explain|describe|send|email|post|publish|prepare|rewrite|proofread|correct|edit|search|look up|find (?:me )?(?:a|an|the|some)|make (?:me )?(?:a|an)|create|generate|schedule|remind|recommend|suggest|invent|code|implement|sing|record|monitor|analy[sz]e|visuali[sz]e|extract|classify|review|check|list|open|visit|click|fill|sign|register|download|scrape|report)\b/

/** True if the sentence asks for work of another kind, such as a text or a picture, as its verb shows. */
export const asksForOtherWork = (sentence: string): boolean =>
  splitClauses(stripPoliteness(sentence)).some((clause) => otherWork.test(stripPoliteness(clause)))

const splitClauses = (sentence: string): string[] => sentence.split(/,? (?:and then|and|then) |[,:] /)

/** True if the sentence is neither a question nor a request, so that it only gives a reason or thanks. */
export const isRemark = (sentence: string): boolean => !/\?\s*$/.test(sentence) && !asksForOtherWork(sentence)
