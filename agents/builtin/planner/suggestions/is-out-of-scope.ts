/** Goals that no tool by rule can do: for them, an honest no has no suggestions beside it. */

import { foldCaseAndAccents, plainPattern } from './fold-case-and-accents.ts'
import type { GoalParts } from './read-goal-parts.ts'

/** Where a request may start with a verb. */
const start =
  "(?:please|can you|could you|would you|will you|you to|and|then|just|go and|help me|i (?:need|want)(?: you)? to|i['’]?d like(?: you)? to)\\s+"
const actions =
  '(?:book|reserve|buy|call|phone|ring up|text|message|e-?mail|send|forward|invite|remind|cancel|hack|crack|steal|spy|track down|log ?in|sign up|hire|fire)\\s+(?:me|us|my|our|the|a|an|it|this|that|them|him|her|all|everyone|everybody|two|three|four|for|at|some)'
const writing =
  '(?:write|compose|draft|create|invent|make up|come up with)\\s+(?:\\p{L}+\\s+){0,6}(?:poems?|songs?|stor(?:y|ies)|letters?|e-?mails?|essays?|articles?|jokes?|speech(?:es)?|novels?|blog|posts?|lyrics|scripts?|code|programs?|slogans?|names for|ideas|cv|resume|toasts?|apolog(?:y|ies)|replies|reply|captions?)'
const sources = [
  `${start}${actions}`,
  `(?:${start})?${writing}`,
  'translat(?:e|ed|ion|ing)|transcri(?:be|pt|ption)\\s+(?:the|this|my)\\s+(?:recording|audio|video|call)|subtitles?|voice recording|mp3|mp4|drawing of|picture of (?:an?|the|my|our)|videos?|logo',
  'should i|shall i|do you think|is it (?:safe|legal|ok|okay|worth|normal|dangerous)|am i allowed|can (?:i|he|she|they) (?:take|sue|eat|drink|stop)|diagnos\\p{L}*|symptoms?|dosage|prescri\\p{L}+|medication|ibuprofen|paracetamol|legal(?:ly)?|lawsuit|sue|tax advice|advice|advise',
  "at this minute|currently trading|today['’]?s (?:rate|price|weather|news)|live (?:rate|price|score)|exchange rate|weather (?:be|tomorrow|today|forecast|like)|predict\\p{L}*|(?:will|going to) (?:\\p{L}+ ){0,8}(?:next|tomorrow|in future|in the future)|will (?:\\p{L}+\\s+){0,8}be worth|in (?:five|ten|\\d+) years['’]? time|hack|password of|credentials|ransom|weapon|bomb|malware|phish\\p{L}*|exploit",
  // German.
  'buch(?:e|en|st)|reservier\\p{L}*|kauf(?:e|en)?|schick\\p{L}*|send(?:e|en)|übersetz\\p{L}*|schreib(?:e|en|st)? (?:mir |uns |bitte |doch |mal )*(?:ein(?:e|en)?|das|den|die) (?:\\S+ ){0,4}(?:gedicht|brief|rede|geschichte|lied|text|mail|bewerbung|antwort)|gedicht|dichte|diktier\\p{L}*|transkri\\p{L}*|rechtlich|rechtswirksam|klagen|anwalt|tabletten|dosis|vorhersag\\p{L}*|prognose|wetter|aktueller kurs',
  // French.
  'réserve[rz]?|achèt\\p{L}*|envoie[rz]?|envoyer|téléphone[rz]|appelle[rz]?|traduis\\p{L}*|traduire|traduction|écri(?:s|re|vez)(?:[- ]moi)? (?:\\S+ ){0,3}(?:poème|lettre|discours|histoire|chanson|mail)|poème|est-ce (?:grave|légal)|grave docteur|docteur|médicament\\p{L}*|avocat|juridique\\p{L}*|prévision\\p{L}*|prévoi\\p{L}*|météo',
  // Spanish.
  'reserv(?:a|ar|e|ame)|compra(?:r|me)|envía(?:r|me)?|manda(?:r|me)?|llama(?:r)?|traduce?(?:ir|me)?|traduzca\\p{L}*|traducción|escríbe(?:le|les|nos)|escríbe(?:me)?(?: un| una)? (?:\\S+ ){0,3}(?:poema|carta|discurso|historia|canción|correo)|poema|médico|medicamento|abogado|legal(?:mente)?|pronóstico|predec\\p{L}*|predicción|tiempo hará',
  // Chinese.
  '翻译|写(?:一)?(?:首|封|篇)|订(?:票|机票|酒店|餐)|预订|发(?:邮件|短信|给)|打电话|录音|天气|预测|医生|吃药|律师|股价|投资',
]
const patterns = sources.map((source) => plainPattern(source, ''))
/** What no column gives unless a heading names it. */
const headings = plainPattern(
  'profit(?:able|ability)?|margins?|gewinn(?:e|marge)?|marge|bénéfices?|beneficios?|ganancias?|margen|利润|forecasts?|weather',
)

/** True if the goal needs an action outside the market, a writer, an expert or news, or data that the goal does not give. */
export function isOutOfScope({ request, tables, material, files }: GoalParts): boolean {
  const hasMaterial = material !== undefined || files.length > 0
  const plain = foldCaseAndAccents(hasMaterial ? withoutOwnStory(request) : request)
  // An imperative at the beginning needs no other word before it.
  const asked = `please ${plain.replace(/([.!?,;:]\s+)/g, '$1please ')}`
  if (patterns.some((pattern) => pattern.test(asked))) return true
  const names = foldCaseAndAccents(tables.flatMap(({ table }) => table.columns.map(({ name }) => name)).join(' '))
  return (plain.match(headings) ?? []).some((word) => !names.includes(word.slice(0, 5)))
}

/** What clients say about themselves: their work, or what they do with the result. */
const ownStory =
  /^(?:i(?:['’]m| am| work| run| manage| do the)|we(?:['’]re| are| work| run)|ich (?:bin|arbeite|leite|mache?|will|möchte)|wir (?:sind|arbeiten|wollen|möchten)|je (?:suis|travaille|tiens|veux)|j[’']ai|nous (?:sommes|travaillons|voulons)|soy|trabajo|somos|quiero|我(?:在|是))(?![\p{L}'’])/iu
/** A request to the reader is no such sentence. */
const asksReader =
  /\?|(?<!\p{L})(?:you|your|please|sie|ihr|bitte|dass|vous|que vous|por favor|usted|que me)(?!\p{L})|[你您请帮]|(?:should|shall|may|can|darf|soll) (?:i|we|ich|wir)/iu

/** With material to work on, those sentences ask for nothing if another sentence does. */
function withoutOwnStory(request: string): string {
  const sentences = request.split(/(?<=[.!?。！？])\s*/u).filter((one) => one.trim() !== '')
  const kept = sentences.filter((one) => !ownStory.test(one.trim()) || asksReader.test(one))
  return kept.length > 0 ? kept.join(' ') : request
}
