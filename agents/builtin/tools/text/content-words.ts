/** Content words: the words that carry the meaning of a text, in English, German, French and Spanish. */
import { eld } from 'eld/small'
import { listWords } from './segment-text.ts'

export type TextLanguage = 'en' | 'de' | 'fr' | 'es'

const functionWords: { readonly [language in Exclude<TextLanguage, 'en'>]: ReadonlySet<string> } = {
  de: new Set(
    'der die das den dem des ein eine einen einem einer eines und oder aber denn sondern doch nicht kein keine keinen keinem keiner auch nur noch schon sehr so wie als wenn weil dass daß ob da dort hier dann nun jetzt immer wieder mehr weniger viel viele vielen alle allen aller alles jede jeder jedes jeden jedem man ich du er sie es wir ihr ihm ihn ihnen uns euch mich mir dich dir sich mein meine meinen meiner dein deine sein seine seinen seinem seiner ihre ihren ihrem ihrer unser unsere unseren unserer euer eure dieser diese dieses diesen diesem jener jene welche welcher welches wer was wo wann warum in im ins an am ans auf aus bei beim mit nach von vom vor zu zum zur für durch gegen ohne um über unter zwischen neben hinter seit bis ab während wegen trotz laut statt bin bist ist sind seid war waren wart gewesen werde wird werden wurde wurden worden habe hat haben hatte hatten gehabt kann können konnte konnten muss müssen musste soll sollen sollte sollten will wollen wollte wollten darf dürfen mag möchte möchten lassen lässt ja nein bitte herr frau herrn uhr euro ende beginn datum etwa ca bzw sowie dabei dazu damit darüber daher deshalb jedoch bereits beide beiden neue neuen neuer neues erste ersten findet statt gibt geht macht steht'.split(
      ' ',
    ),
  ),
  fr: new Set(
    'le la les l un une des du de d et ou mais donc or ni car ne n pas plus que qu qui quoi dont où ce c cet cette ces ça cela ceci il elle ils elles on je j tu nous vous me m te t se s lui leur leurs y en mon ma mes ton ta tes son sa ses notre nos votre vos au aux à dans par pour sur sous avec sans chez entre vers depuis pendant avant après contre comme si très trop peu beaucoup aussi encore déjà toujours jamais tout toute tous toutes même autre autres chaque quelque quelques aucun aucune être est sont était étaient sera seront été suis es sommes êtes ai as a avons avez ont avait avaient aura auront eu faire fait font faut peut peuvent doit doivent va vont ici là lors alors ainsi afin monsieur madame mme heure heures euros deux trois plusieurs'.split(
      ' ',
    ),
  ),
  es: new Set(
    'el la los las lo un una unos unas y e o u pero sino que qué quien quién cual cuál cuyo donde dónde cuando cuándo como cómo si no ni sí ya aún más menos muy tan también tampoco siempre nunca todo toda todos todas cada algún alguna algunos algunas ningún ninguna otro otra otros otras mismo misma este esta estos estas ese esa esos esas aquel aquella esto eso yo tú él ella ellos ellas nosotros vosotros usted ustedes me te se le les nos os mi mis tu tus su sus nuestro nuestra nuestros nuestras a al ante bajo con contra de del desde en entre hacia hasta para por según sin sobre tras durante ser es son era eran fue fueron será serán sido soy estar está están estaba estaban he ha han había habían haber hay hubo tener tiene tienen hacer hace hacen puede pueden debe deben va van señor señora hora horas euros dos tres muchos muchas mucho poco pocos'.split(
      ' ',
    ),
  ),
}

const englishFunctionWords = new Set(
  'a an the and or but nor so yet if then than that this these those there here of in on at to from for by with without within into onto upon about above below over under between among through during before after since until as is are was were be been being am do does did done has have had having can could shall should will would may might must not no yes it its i me my we us our you your he him his she her they them their who whom whose which what when where why how all any both each few more most other some such only own same too very just also again once because while up down out off s t re ve ll d m'.split(
    ' ',
  ),
)

/** Whether an English word is a content word. Function words, such as articles and prepositions, are none. */
export const isContentWord = (word: string): boolean =>
  word.length > 1 && !englishFunctionWords.has(word.toLowerCase()) && /\p{L}/u.test(word)

/** English, unless the text is surely in one of the others. */
export function textLanguageOf(text: string): TextLanguage {
  const { language } = eld.detect(text.slice(0, 5_000))
  return language === 'de' || language === 'fr' || language === 'es' ? language : 'en'
}

/** The test for content words of a language. */
export const contentTest = (language: TextLanguage): ((word: string) => boolean) =>
  language === 'en' ? isContentWord : (word) => word.length > 2 && /\p{L}/u.test(word) && !functionWords[language].has(word.toLowerCase())

/** Endings of one noun. */
const endings = ['', 's', 'es', 'e', 'n', 'en', 'er', 'ern']

/** The content words that occur most often, each in its first form. In German these are nouns, which have capitals. */
export function frequentContentWords(text: string, language: TextLanguage): { readonly text: string; readonly count: number }[] {
  const isContent = contentTest(language)
  const words = listWords(text).filter(
    (word) => word.length > 3 && !/\d/.test(word) && isContent(word) && (language !== 'de' || /^\p{Lu}/u.test(word)),
  )
  const found = new Map<string, { text: string; count: number }>()
  for (const word of words) {
    const plain = word.toLowerCase()
    const ending = endings.find((one) => plain.endsWith(one) && found.has(plain.slice(0, plain.length - one.length)))
    const known = found.get(ending === undefined ? plain : plain.slice(0, plain.length - ending.length))
    if (known) known.count++
    else found.set(plain, { text: language === 'de' ? word : plain, count: 1 })
  }
  return [...found.values()].sort((a, b) => b.count - a.count)
}
