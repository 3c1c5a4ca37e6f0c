/** Whether a text is in English, by the function words of English and of other languages. */

/** Function words of other languages that are no English words. */
const foreignWords = new Set(
  (
    'der das und ist sind wie viele viel wieviel wann welche welcher welches zwischen nicht eine einen einer von für mit zum zur bis ab auf ' +
    'wochentag tage tagen wochen ich wir bitte rechne berechne wandle lautet ergibt durch mal heute ' +
    'le la les des est une combien quel quelle quels entre et dans jours pour avec sont calculer jour semaine aux ' +
    'el los las cuál cuánto cuántos cuántas cuanto cuantos qué es una por para convertir días semanas entre desde hasta ' +
    'il gli di quanto quanti quante quale è una per giorni tra che ' +
    'het een hoeveel wat zijn tussen dagen welke voor naar en van ' +
    'quantos quantas qual são entre dias não uma ' +
    'hur många mellan och är vilken hvor mange mellem og'
  ).split(' '),
)
const englishWords = new Set(
  (
    'the a an of is are was were be what which who when how many much in on at to from for with and or by as it this that there do does did ' +
    'please can could would me my i we our you your between until since each every per not no than have has had will'
  ).split(' '),
)

/** True unless the words are mostly of another language. Sums and formulas without words count as English. */
export function isEnglish(text: string): boolean {
  const words = text.toLowerCase().match(/[\p{L}’']+/gu) ?? []
  const letters = words.join('')
  const latin = letters.match(/[a-z]/g)?.length ?? 0
  if (letters.length > 3 && latin < letters.length * 0.8) return false
  const foreign = words.filter((word) => foreignWords.has(word) && !englishWords.has(word)).length
  const english = words.filter((word) => englishWords.has(word)).length
  return foreign === 0 || english > foreign
}
