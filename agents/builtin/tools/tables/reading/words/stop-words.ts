/** Words of a question that give no information about a table, and nouns that stand for its rows. */
import { stemWord } from '../../../../stem-word.ts'
import { wordsOfName } from './read-question-words.ts'

const stopWords = new Set(
  (
    'a an the this that these those is are was were be been being am do does did done has have had having can could would should will shall may might must ' +
    'i me my we us our you your he she it its they them their his her who whom whose which what when where why how there here ' +
    'of in on at to for from by with within without into onto as than then and or nor but so if of per each every all any some both either neither only just also too ' +
    'please tell show give list find get display print name answer calculate compute determine know see want need like let say return report look check ' +
    'according based using use used given out up down over under about between during across among versus vs off through until since ago before after ' +
    'table file log export dump data dataset csv json sheet spreadsheet attached attachment document row rows column columns record records entry entries line lines list field fields ' +
    'question questions following part first last next same other others another one ones thing things ' +
    "much many more less most least very really exactly approximately roughly about again still yet ever never not no yes don't doesn't isn't what's who's which's i'd i'm it's " +
    'whats whos hows pls plz thats hi hello hey dear thanks thank thx lot lots advance regards quick quickly question ' +
    'make makes made making sell sells sold selling earn earns earned buy buys bought spend spends spent generate generates generated get gets got ' +
    'place places placed happen happens happened occur occurs occurred come comes came go goes went take takes took bring brings brought reach reached contribute contributed ' +
    'belong belongs live lives work works cost costs exist exists appear appears contain contains include includes including represent hold holds ' +
    'respectively together individually separately broken split grouped group sorted sort order ordered rank ranked descending ascending desc asc highest lowest ' +
    'value values figure figures number numbers amount amounts total totals overall level result results ' +
    'respect terms whole entire complete full time times period periods single individual own ' +
    'high low higher lower bigger smaller greater larger fewer better worse big small large great old young long short far good bad common ' +
    'different distinct unique various people person everyone everybody someone anyone company business team year month day week quarter date ' +
    'performed perform performs performing performance recorded registered measured reported achieved had'
  ).split(' '),
)

export const isStopWord = (word: string): boolean => stopWords.has(word) || word.length === 1

const genericNouns = new Set('row rows record records entry entries line lines item items observation observations case cases'.split(' '))
/** What the rows of business tables usually are. The answer reports that it counted rows. */
const businessNouns = new Set(
  'order orders sale sales transaction transactions purchase purchases ticket tickets invoice invoices payment payments booking bookings employee employees customer customers client clients user users member members student students product products person people persons contact contacts lead leads deal deals task tasks event events visit visits movie movies book books player players match matches game games country countries city cities issue issues bug bugs survey responses response participants participant patients patient trips trip flights flight call calls request requests run runs test tests measurement measurements reading readings sample samples session sessions job jobs build builds pupil pupils kid kids child children guest guests shipment shipments delivery deliveries donation donations expense expenses appointment appointments reservation reservations rental rentals loan loans subscription subscriptions film films song songs plant plants animal animals house houses car cars ride rides workout workouts message messages email emails vote votes applicant applicants candidate candidates volunteer volunteers donor donors receipt receipts device devices'.split(
    ' ',
  ),
)

/** The noun for rows that a word is, if it is one. @param fileName the name of the file, such as `orders.csv` */
export function rowNounOf(word: string, fileName: string): string | undefined {
  if (genericNouns.has(word) || businessNouns.has(word)) return word
  const isFileName = wordsOfName(fileName.replace(/\.[a-z]{2,5}$/i, '')).some(
    (part) => part.length > 2 && stemWord(part) === stemWord(word),
  )
  return isFileName ? word : undefined
}
