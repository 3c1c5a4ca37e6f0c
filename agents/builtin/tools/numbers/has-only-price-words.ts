/** Whether the words around prices leave the calculation as it is read. */
import { hasOnlyKnownWords } from './has-only-known-words.ts'

const known = new Set(
  (
    'a an the of for to in on at by is are was were be been will would can could should shall do does did i we you my our me us it its that this these those there ' +
    "have has had i've i'd we'd we'll i'll i'm we've need needs want wants know tell give show how much many what which who whats what's when where and then so also with from into as if " +
    'total totals sum price prices priced cost costs amount amounts pay pays paid paying payable owe owes charge charged final finally overall altogether together everything all whole entire ' +
    'order invoice quote quotation offer bill bills restaurant dinner lunch meal check receipt subtotal net gross vat tax taxes gst tip discount saving savings save saved ' +
    'including incl included inclusive excluding excl after before each person head please thanks thank hi hello hey calculate compute work out find figure split divide share shared ' +
    'among between equally evenly come comes coming customer client get gets back came totalled totaled now new purchase item items thing things line lines table breakdown list make made got ' +
    'breakdown separately separate add added adding up down plus + = : , ( ) ? . - & / × " \' ' +
    "just only exactly exact value gets goes went go per everyone everybody bought buy buying ordered order ordering today yesterday last night original originally full it's thats that's ok okay quick question " +
    'do done take off apply applied applies applying then result end number net-price worth contain contains contained inside extract remove strip his her their they he she payment due rounded cents euro euros eur usd gbp dollars pounds ' +
    'regular list sale reduction reduced would like let understand step steps help selling myself price-wise friend friends business company shop store online job project'
  ).split(' '),
)
/** Words that change a calculation in ways that are not read here. */
const risky =
  /\b(?:except|unless|or|either|than|versus|vs|per|monthly|weekly|yearly|annual(?:ly)?|daily|months?|years?|weeks?|days?|hours?|minutes?|seconds?|degrees?|celsius|fahrenheit|grams?|kilos?|metres?|meters?|miles?|inch(?:es)?|feet|portions?|servings?|free|half|halves|quarter|third|thirds|twice|doubles?|triples?|single|first|second|every|minimum|maximum|min|max|least|most|cheap(?:er|est)?|better|best|points?|commission|refund(?:ed)?|returns?|returned|interest|loan|deposit|instal?ments?|convert|rate|exchange|not|no|without|don't|doesn't|isn't|didn't|never|other|others|another|remaining|different|average|mean|compare|profit|margin|mark-?up|write|draft|email|e-mail|send|save as|one|none|some|few|several|alone|nobody|kids?|child|children|percent|reverse|exempt|threshold|above|below|under|until|up to|cap(?:ped)?|random|predict|guess|estimate|growth|grow|increase|decrease|change|translate|pdf|excel|spreadsheet|template|formula|code|python|script|function|salary|income|wages?|earn(?:s|ed|ings)?|inheritance|dividends?|payroll|bonus|left|transfer|wire|invest|cancel|call|remind|usdc|usdt|btc|eth|crypto)\b/

/** True if each word is known, or names a thing: up to three words after an article, or at the start of a clause. */
export function hasOnlyPriceWords(text: string): boolean {
  if (
    /\|(?:tax|discount|tip|flat|fee)\| (?:before|after|except|of (?!\|base\||the (?:total|price|whole|bill)|it ))/.test(text) &&
    !/(?:before|after) (?:the )?(?:\|tax\||tax|vat) /.test(text)
  )
    return false
  const bare = text
    .replace(/ (?:pre-?tax|post-?tax|before (?:the )?(?:tax|vat|\|tax\|)|after (?:the )?(?:tax|vat|\|tax\|)) /g, ' ')
    .replace(/ (\|tax\||invoice|bill) over (?=\|base\|)/g, ' $1 ')
    .replace(/\|deposit\|(.*) deposit /g, '|deposit|$1 ')
    .replace(/ (?:per (?:person|head|each)|each person|each one|each of us|of us|without (?:\|tax\||vat|tax)|in full) /g, ' ')
  if (risky.test(bare.replace(/\|[a-z]+\|/g, ' '))) return false
  return hasOnlyKnownWords(bare, known)
}

const whole = new Set(
  'everything all total totals whole entire order bill it sum subtotal price prices invoice quote offer net amount lot that this purchase top and then plus with but what whats how so is are please thanks added included to be in each'.split(
    ' ',
  ),
)

/** True if a step that follows several lines names only some of them, as in `15% off the desk`. */
export const isScopedStep = (text: string): boolean =>
  [
    ...text.matchAll(
      /\|(?:tax|discount|tip|flat)\| (?:(?:on|off|for|of|to|from|over|in) ){0,2}(?:(?:the|my|our|a|this|that) )?([a-z][a-z0-9'&/-]*)/g,
    ),
  ].some(([, word = '']) => !whole.has(word))
