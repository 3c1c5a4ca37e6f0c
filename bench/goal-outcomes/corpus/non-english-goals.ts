/** Goals in German, French, Spanish and Chinese. Simple ones are read phrase by phrase and answered in their language; all others are declined before any money moves. */
import { declined, delivered, type GoalCase } from '../goal-case.ts'
import { notes, sales } from './sample-files.ts'

type Covered = readonly [text: string, answers: RegExp | readonly RegExp[], files?: GoalCase['files']]

const covered: { readonly [language in 'de' | 'fr' | 'es' | 'zh']: readonly Covered[] } = {
  de: [
    ['Wie viel sind 15 Prozent von 240?', /\b36\b/],
    ['Ich möchte den Jahresumsatz von Microsoft von 2014 bis 2020 wissen. Bitte mit Diagramm und Bericht.', [/2014/, /2020/, /svg/]],
    ['Rechne 10 Meilen in Kilometer um', /16,09344/],
    ['Zähle die Wörter in „Der Hund schläft“', /3 Wörter/],
    ['Wie viele Tage liegen zwischen dem 3. März und dem 1. April 2027?', /\b29 Tage vom 3\. März 2027/],
    ['Mach mir bitte einen QR-Code für https://example.com', /QR-Code von „https:\/\/example\.com“/],
    [
      'Fasse den Text in drei Sätzen zusammen: „Es war einmal ein König. Er hatte drei Töchter. Die jüngste war klug. Sie fand den Schatz.“',
      /Töchter/,
    ],
    ['Umsatz von Apple 2015 bis 2022 als Diagramm', [/svg/, /2015/]],
    ['Wieviel sind 19% MwSt auf 1.250 Euro?', /237,5/],
    ['Welche Filiale hat am meisten verkauft?', /Höchster Wert: Leeds mit 421,3/, [sales]],
    ['Fasse die angehängten Notizen zusammen', /library/, [notes]],
  ],
  fr: [
    ['Combien font 15 % de 240 ?', /\b36\b/],
    ["Je voudrais connaître le chiffre d'affaires annuel de Microsoft de 2014 à 2020, avec un graphique", [/2014/, /svg/]],
    ['Convertis 10 miles en kilomètres', /16,09344/],
    ['Compte les mots de « Le chat dort sur le lit »', /6 mots/],
    ['Combien de jours y a-t-il entre le 3 mars et le 1er avril 2027 ?', /\b29 jours du 3 mars 2027 au 1er avril 2027/],
    ['Crée un code QR pour https://example.com', /Code QR de «\u00A0https:\/\/example\.com\u00A0»/],
    ['Quelle est la racine carrée de 1764 ?', /= 42/],
    ['Combien font 17,5 % de 2 480 € ?', /= 434/],
    ['Quel magasin a vendu le plus ?', /Valeur la plus élevée\u00A0: Leeds avec 421,3/, [sales]],
  ],
  es: [
    ['¿Cuánto es el 15 % de 240?', /\b36\b/],
    ['Quiero saber los ingresos anuales de Microsoft de 2014 a 2020 con un gráfico', [/2014/, /svg/]],
    ['Convierte 10 millas a kilómetros', /16,09344/],
    ['Cuenta las palabras de «El perro duerme en la cama»', /6 palabras/],
    ['¿Cuántos días hay entre el 3 de marzo y el 1 de abril de 2027?', /\b29 días del 3 de marzo de 2027/],
    ['Haz un código QR para https://example.com', /Código QR de «https:\/\/example\.com»/],
    ['¿Cuál es la raíz cuadrada de 1764?', /= 42/],
    ['¿Qué tienda vendió más?', /Valor más alto: Leeds con 421,3/, [sales]],
  ],
  zh: [
    ['240的15%是多少？', /= 36/],
    ['我想知道微软2014年到2020年的年收入，请画一张图表并写一份报告', [/2014/, /2020/, /svg/]],
    ['10英里等于多少公里？', /16\.09344/],
    ['2027年3月3日到4月1日之间有多少天？', /从2027年3月3日到2027年4月1日共 29 天/],
    ['为 https://example.com 生成一个二维码', /“https:\/\/example\.com”的二维码/],
    ['1764的平方根是多少？', /= 42/],
    ['哪家店卖得最多？', /最高值：Leeds，421\.3/, [sales]],
  ],
}

const coveredGoals = Object.entries(covered).flatMap(([language, goals]) =>
  goals.map(([text, answers, files = []]) => delivered(text, answers, { language: language as GoalCase['language'], files })),
)

const german = [
  'Übersetze „good morning“ ins Deutsche',
  'Welche Stadt ist die schönste?',
  'Hilf mir bitte bei meiner Steuererklärung',
  'Umsatz von Apple 2015 bis 2022 als Diagramm, aber ohne die Sparte Dienstleistungen',
  'Schreib mir ein Gedicht über den Herbst',
].map((text) => declined(text, 'clear', { language: 'de' }))

const french = [
  'Traduis « good morning » en français',
  'Écris un poème sur la mer',
  'Résume ce document en trois phrases, merci',
  'Aide-moi à trouver des clients',
  'Quel temps fera-t-il demain à Lyon ?',
].map((text) => declined(text, 'clear', { language: 'fr' }))

const spanish = [
  'Traduce "good morning" al español',
  'Escribe un poema sobre el mar',
  'Resume este documento en tres frases, por favor',
  'Necesito ayuda con mi negocio',
  '¿Quién ganó el mundial de 2010?',
].map((text) => declined(text, 'clear', { language: 'es' }))

const chinese = [
  '把“good morning”翻译成中文',
  '请数一数“猫在床上睡觉”有多少个字',
  '写一首关于大海的诗',
  '请用三句话总结这份文件',
  '帮我找客户',
].map((text) => declined(text, 'clear', { language: 'zh' }))

export const foreignGoals: readonly GoalCase[] = [...coveredGoals, ...german, ...french, ...spanish, ...chinese]
