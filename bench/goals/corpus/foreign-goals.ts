/** Goals in German, French, Spanish and Chinese. Without a model they are declined before any money moves, whatever they ask. */
import { declined, type GoalCase } from '../goal-case.ts'
import { notes, sales } from './sample-files.ts'

const german = [
  'Wie viel sind 15 Prozent von 240?',
  'Übersetze „good morning“ ins Deutsche',
  'Ich möchte den Jahresumsatz von Microsoft von 2014 bis 2020 wissen. Bitte mit Diagramm und Bericht.',
  'Rechne 10 Meilen in Kilometer um',
  'Zähle die Wörter in „Der Hund schläft“',
  'Wie viele Tage liegen zwischen dem 3. März und dem 1. April 2027?',
  'Mach mir bitte einen QR-Code für https://example.com',
  'Welche Stadt ist die schönste?',
  'Hilf mir bitte bei meiner Steuererklärung',
  'Fasse den Text in drei Sätzen zusammen: „Es war einmal ein König. Er hatte drei Töchter. Die jüngste war klug. Sie fand den Schatz.“',
  'Umsatz von Apple 2015 bis 2022 als Diagramm',
].map((text) => declined(text, 'clear', { language: 'de' }))

const french = [
  'Combien font 15 % de 240 ?',
  'Traduis « good morning » en français',
  "Je voudrais connaître le chiffre d'affaires annuel de Microsoft de 2014 à 2020, avec un graphique",
  'Convertis 10 miles en kilomètres',
  'Compte les mots de « Le chat dort sur le lit »',
  'Combien de jours y a-t-il entre le 3 mars et le 1er avril 2027 ?',
  'Crée un code QR pour https://example.com',
  'Écris un poème sur la mer',
  'Résume ce document en trois phrases, merci',
  'Quelle est la racine carrée de 1764 ?',
  'Aide-moi à trouver des clients',
].map((text) => declined(text, 'clear', { language: 'fr' }))

const spanish = [
  '¿Cuánto es el 15 % de 240?',
  'Traduce "good morning" al español',
  'Quiero saber los ingresos anuales de Microsoft de 2014 a 2020 con un gráfico',
  'Convierte 10 millas a kilómetros',
  'Cuenta las palabras de «El perro duerme en la cama»',
  '¿Cuántos días hay entre el 3 de marzo y el 1 de abril de 2027?',
  'Haz un código QR para https://example.com',
  'Escribe un poema sobre el mar',
  'Resume este documento en tres frases, por favor',
  '¿Cuál es la raíz cuadrada de 1764?',
  'Necesito ayuda con mi negocio',
].map((text) => declined(text, 'clear', { language: 'es' }))

const chinese = [
  '240的15%是多少？',
  '把“good morning”翻译成中文',
  '我想知道微软2014年到2020年的年收入，请画一张图表并写一份报告',
  '10英里等于多少公里？',
  '请数一数“猫在床上睡觉”有多少个字',
  '2027年3月3日到4月1日之间有多少天？',
  '为 https://example.com 生成一个二维码',
  '写一首关于大海的诗',
  '请用三句话总结这份文件',
  '1764的平方根是多少？',
  '帮我找客户',
].map((text) => declined(text, 'clear', { language: 'zh' }))

const withFiles = [
  declined('Welche Filiale hat am meisten verkauft?', 'clear', { language: 'de', files: [sales] }),
  declined('Quel magasin a vendu le plus ?', 'clear', { language: 'fr', files: [sales] }),
  declined('¿Qué tienda vendió más?', 'clear', { language: 'es', files: [sales] }),
  declined('哪家店卖得最多？', 'clear', { language: 'zh', files: [sales] }),
  declined('Fasse die angehängten Notizen zusammen', 'clear', { language: 'de', files: [notes] }),
]

export const foreignGoals: readonly GoalCase[] = [...german, ...french, ...spanish, ...chinese, ...withFiles]
