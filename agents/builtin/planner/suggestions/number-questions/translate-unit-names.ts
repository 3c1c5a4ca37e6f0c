/** Names of units in German, French, Spanish and Chinese, with the English one in front. */

const names = `
us gallons = gallonen | gallone | gallons us | galones | galón | 加仑
litres = liter | litern | litros | litro | litre | 升
millilitres = milliliter | mililitros | 毫升
miles = meilen | meile | millas | milla | milles | 英里
kilometres = kilometer | kilometern | kilomètres | kilomètre | kilómetros | kilómetro | 公里 | 千米
metres = meter | metern | mètres | mètre | metros | metro
centimetres = zentimeter | centimètres | centimètre | centímetros | 厘米
inches = zoll | pouces | pouce | pulgadas | pulgada | 英寸
feet = fuß | pieds | pies | 英尺
pounds = pfund | livres | libras | 磅
kilograms = kilogramm | kilo | kilos | kilogrammes | kilogramos | 公斤 | 千克
grams = gramm | grammes | gramos | 克
ounces = unzen | unze | onces | onzas | 盎司
hectares = hektar | hectáreas | hectárea | 公顷
square metres = quadratmeter | quadratmetern | mètres carrés | metros cuadrados | 平方米 | 平米
square feet = quadratfuß | pieds carrés | pies cuadrados | 平方英尺
square kilometres = quadratkilometer | 平方公里
acres = 英亩
mu = 亩
km/h = stundenkilometer | kilomètres heure | kilómetros por hora
celsius = grad celsius | degrés celsius | grados celsius | 摄氏度
fahrenheit = grad fahrenheit | degrés fahrenheit | grados fahrenheit | 华氏度
`

const pairs = names
  .trim()
  .split('\n')
  .flatMap((line) => {
    const [english = '', others = ''] = line.split(' = ')
    return others.split(' | ').map((name) => [name, english] as const)
  })
  .toSorted(([a], [b]) => b.length - a.length)
const englishOf = new Map(pairs)
const isHan = /^\p{Script=Han}/u
const spaced = pairs.map(([name]) => name).filter((name) => !isHan.test(name))
const joined = pairs.map(([name]) => name).filter((name) => isHan.test(name))
const pattern = new RegExp(`(?<!\\p{L})(?:${spaced.join('|')})(?!\\p{L})|(?:${joined.join('|')})`, 'giu')

/** The text with English names of units. */
export const translateUnitNames = (text: string): string =>
  text
    .replace(/(?<=\p{Script=Han})(?=\d)/gu, ' ')
    .replace(pattern, (name) => (isHan.test(name) ? ` ${englishOf.get(name) ?? name} ` : (englishOf.get(name.toLowerCase()) ?? name)))
