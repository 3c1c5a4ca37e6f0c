/** The content words of a goal. */
import { isStopWord } from '../../tools/tables/reading/words/stop-words.ts'
import { plainWords } from './reading-candidate.ts'

/** Words of other languages that say as little as those of the English list. */
const empty = new Set(
  plainWords(
    'der die das den dem des ein eine einen einem einer und oder aber ist sind war waren hat haben hatte wir ich er sie es man mir mich uns unser unsere unseren mein meine ihr ihre sein seine bitte danke mal noch auch nur sehr so wie was wer wo wenn dann dass daß für von vom zu zum zur mit bei im in an am auf aus um nach nicht kein keine können kann könnte könnt würde möchte will soll muss gibt gern hallo guten tag dabei dazu hier ' +
      'le la les un une des du de et ou mais est sont était avons avez ont a ai je tu il elle on nous vous ils elles mon ma mes notre nos votre vos son sa ses ce cet cette ces que qui quoi dont où si ne pas plus se sa en dans sur sous avec pour par au aux y merci bonjour svp plaît voici voilà peux peut pouvez pourriez voudrais veux faut ' +
      'el los las una unos unas y o pero es son era fue hay he ha han tengo tiene tenemos yo tú él ella nosotros ellos mi mis tu tus su sus nuestro nuestra este esta estos estas ese esa que qué quien cual como cuando donde si no se lo le les me te nos de del al a en con por para sin muy más gracias hola favor puedes puede podrías necesito quiero quisiera ' +
      '我 你 他 她 它 我们 你们 的 了 是 在 有 和 与 请 帮 帮我 一下 这 那 这个 那个 吗 呢 把 给 给我',
  ),
)

/** Each once, in lower case and without accents, in the order of the text. */
export const contentWordsOfGoal = (text: string): string[] => [
  ...new Set(
    plainWords(text.replace(/https?:\/\/\S+/g, ' ')).filter(
      (word) => (word.length > 1 || /\d|\p{Script=Han}/u.test(word)) && (!isStopWord(word) || operationWords.has(word)) && !empty.has(word),
    ),
  ),
]

/** Stop words of table questions that name a requested operation here. */
const operationWords = new Set(
  'total totals sum average number numbers highest lowest sort sorted order list most least each per different unique amount amounts'.split(
    ' ',
  ),
)
