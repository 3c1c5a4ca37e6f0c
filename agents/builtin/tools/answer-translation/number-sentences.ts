/** The sentences of the tools for calculations, units and QR codes. */
import { readTemplates } from './sentence-template.ts'

/** By skill id. */
export const numberSentences = {
  'number.calculation': readTemplates(`
en: Of {n:number} numbers: {s:listStatistics}.
de: Von {n} Zahlen: {s}.
fr: Sur {n} nombres : {s}.
es: De {n} números: {s}.
zh: {n} 个数：{s}。

en: Of {n:number} numbers ({t:text}): {s:listStatistics}.
de: Von {n} Zahlen ({t}): {s}.
fr: Sur {n} nombres ({t}) : {s}.
es: De {n} números ({t}): {s}.
zh: {n} 个数（{t}）：{s}。

en: {p:number}% of {n:number} = {r:formula}.
de: {p} % von {n} = {r}.
fr: {p} % de {n} = {r}.
es: {p} % de {n} = {r}.
zh: {n} 的 {p}% = {r}。

en: The sum of the integers from {a:number} to {b:number} = {r:formula}.
de: Die Summe der ganzen Zahlen von {a} bis {b} = {r}.
fr: La somme des entiers de {a} à {b} = {r}.
es: La suma de los enteros de {a} a {b} = {r}.
zh: 从 {a} 到 {b} 的整数之和 = {r}。

en: {f:formula} = {t:code} (base {n:number}).
de: {f} = {t} (Basis {n}).
fr: {f} = {t} (base {n}).
es: {f} = {t} (base {n}).
zh: {f} = {t}（{n} 进制）。

en: {t:number} in the ratio {a:ratio} is about {b:ratio}.
de: {t} im Verhältnis {a} sind etwa {b}.
fr: {t} dans le rapport {a} donnent environ {b}.
es: {t} en la razón {a} son aproximadamente {b}.
zh: {t} 按 {a} 分配约为 {b}。

en: {t:number} in the ratio {a:ratio} is {b:ratio}.
de: {t} im Verhältnis {a} sind {b}.
fr: {t} dans le rapport {a} donnent {b}.
es: {t} en la razón {a} son {b}.
zh: {t} 按 {a} 分配为 {b}。

en: The weighted mean of {n:number} values is {r:formula}, with weights of {p:number}% together.
de: Das gewichtete Mittel von {n} Werten ist {r}, bei Gewichten von zusammen {p} %.
fr: La moyenne pondérée de {n} valeurs est {r}, avec des poids de {p} % au total.
es: La media ponderada de {n} valores es {r}, con pesos de {p} % en total.
zh: {n} 个值的加权平均数为 {r}，权重合计 {p}%。

en: {x:code} = {f:formula}.
de: {x} = {f}.
fr: {x} = {f}.
es: {x} = {f}.
zh: {x} = {f}。

en: Every number for {x:code} solves it.
de: Jede Zahl für {x} löst sie.
fr: Tout nombre pour {x} la résout.
es: Todo número para {x} la resuelve.
zh: {x} 取任何数都成立。

en: No number for {x:code} solves it.
de: Keine Zahl für {x} löst sie.
fr: Aucun nombre pour {x} ne la résout.
es: Ningún número para {x} la resuelve.
zh: {x} 没有解。

en: The equation: {t:text}
de: Die Gleichung: {t}
fr: L'équation : {t}
es: La ecuación: {t}
zh: 方程：{t}

en: {n:number} is a prime number.
de: {n} ist eine Primzahl.
fr: {n} est un nombre premier.
es: {n} es un número primo.
zh: {n} 是质数。

en: {n:number} is not a prime number: it is {f:formula}.
de: {n} ist keine Primzahl, sondern {f}.
fr: {n} n'est pas un nombre premier, c'est {f}.
es: {n} no es un número primo, es {f}.
zh: {n} 不是质数，等于 {f}。

en: Yes: {f:formula} ({a:formula} and {b:formula}).
de: Ja: {f} ({a} und {b}).
fr: Oui : {f} ({a} et {b}).
es: Sí: {f} ({a} y {b}).
zh: 是：{f}（{a} 和 {b}）。

en: No: {f:formula} ({a:formula} and {b:formula}).
de: Nein: {f} ({a} und {b}).
fr: Non : {f} ({a} et {b}).
es: No: {f} ({a} y {b}).
zh: 否：{f}（{a} 和 {b}）。

en: They are equal: {f:formula} ({a:formula} and {b:formula}).
de: Sie sind gleich: {f} ({a} und {b}).
fr: Ils sont égaux : {f} ({a} et {b}).
es: Son iguales: {f} ({a} y {b}).
zh: 两者相等：{f}（{a} 和 {b}）。

en: {w:formula} is larger: {f:formula} ({a:formula} and {b:formula}).
de: {w} ist größer: {f} ({a} und {b}).
fr: {w} est plus grand : {f} ({a} et {b}).
es: {w} es mayor: {f} ({a} y {b}).
zh: {w} 更大：{f}（{a} 和 {b}）。

en: {w:formula} is smaller: {f:formula} ({a:formula} and {b:formula}).
de: {w} ist kleiner: {f} ({a} und {b}).
fr: {w} est plus petit : {f} ({a} et {b}).
es: {w} es menor: {f} ({a} y {b}).
zh: {w} 更小：{f}（{a} 和 {b}）。

en: {f:formula} ({n:number} digits, the last ten are {t:code}).
de: {f} ({n} Ziffern, die letzten zehn sind {t}).
fr: {f} ({n} chiffres, les dix derniers sont {t}).
es: {f} ({n} cifras, las diez últimas son {t}).
zh: {f}（共 {n} 位数字，最后十位是 {t}）。

en: The file has the whole result.
de: Das ganze Ergebnis steht in der Datei.
fr: Le résultat complet est dans le fichier.
es: El resultado completo está en el archivo.
zh: 完整结果见文件。

en: {n:number} results in the file.
de: {n} Ergebnisse stehen in der Datei.
fr: {n} résultats sont dans le fichier.
es: Hay {n} resultados en el archivo.
zh: 文件中有 {n} 个结果。

en: Before rounding: {f:formula}
de: Vor dem Runden: {f}
fr: Avant arrondi : {f}
es: Antes de redondear: {f}
zh: 舍入前：{f}

en: As a decimal: {f:formula}
de: Als Dezimalzahl: {f}
fr: En décimal : {f}
es: En decimal: {f}
zh: 小数形式：{f}

en: Result
de: Ergebnis
fr: Résultat
es: Resultado
zh: 结果

en: Computed with exact integers and fractions.
de: Mit ganzen Zahlen und Brüchen exakt berechnet.
fr: Calculé exactement avec des entiers et des fractions.
es: Calculado de forma exacta con enteros y fracciones.
zh: 用整数和分数精确计算。

en: A value after ≈ is rounded.
de: Ein Wert nach ≈ ist gerundet.
fr: Une valeur après ≈ est arrondie.
es: Un valor después de ≈ está redondeado.
zh: ≈ 之后的数值经过舍入。

en: {x:code} = {f:formula}.
de: {x} = {f}.
fr: {x} = {f}.
es: {x} = {f}.
zh: {x} = {f}。

en: Before rounding: ≈ {f:formula}
de: Vor dem Runden: ≈ {f}
fr: Avant arrondi : ≈ {f}
es: Antes de redondear: ≈ {f}
zh: 舍入前：≈ {f}

en: {f:formula}.
de: {f}.
fr: {f}.
es: {f}.
zh: {f}。

en: {f:formula}
de: {f}
fr: {f}
es: {f}
zh: {f}
`),
  'number.units': readTemplates(`
en: {a:number} {x:code} = {b:number} {y:code} at your rate of {r:number}.
de: {a} {x} = {b} {y} zu Ihrem Kurs von {r}.
fr: {a} {x} = {b} {y} à votre taux de {r}.
es: {a} {x} = {b} {y} con su tipo de cambio de {r}.
zh: {a} {x} = {b} {y}（按您给出的汇率 {r}）。

en: {a:quantity} = {b:quantity}[ ({how:factors})].
de: {a} = {b}[ ({how})].
fr: {a} = {b}[ ({how})].
es: {a} = {b}[ ({how})].
zh: {a} = {b}[（{how}）]。

en: {a:quantity} ≈ {b:quantity}[ ({how:factors})].
de: {a} ≈ {b}[ ({how})].
fr: {a} ≈ {b}[ ({how})].
es: {a} ≈ {b}[ ({how})].
zh: {a} ≈ {b}[（{how}）]。

en: {n:number} conversions are in the file.
de: {n} Umrechnungen stehen in der Datei.
fr: {n} conversions sont dans le fichier.
es: Hay {n} conversiones en el archivo.
zh: 文件中有 {n} 个换算结果。

en: Converted units
de: Umgerechnete Einheiten
fr: Unités converties
es: Unidades convertidas
zh: 单位换算

en: Computed with the exact definitions of the units.
de: Mit den exakten Definitionen der Einheiten berechnet.
fr: Calculé avec les définitions exactes des unités.
es: Calculado con las definiciones exactas de las unidades.
zh: 按单位的精确定义计算。

en: A value after ≈ is rounded.
de: Ein Wert nach ≈ ist gerundet.
fr: Une valeur après ≈ est arrondie.
es: Un valor después de ≈ está redondeado.
zh: ≈ 之后的数值经过舍入。
`),
  'image.qr': readTemplates(`
en: QR code of “{t:text}” ({a:number} × {b:number} modules, error correction {l:code}).
de: QR-Code von „{t}“ ({a} × {b} Module, Fehlerkorrektur {l}).
fr: Code QR de « {t} » ({a} × {b} modules, correction d'erreurs {l}).
es: Código QR de «{t}» ({a} × {b} módulos, corrección de errores {l}).
zh: “{t}”的二维码（{a} × {b} 模块，纠错级别 {l}）。

en: And {n:number} more.
de: Und {n} weitere.
fr: Et {n} de plus.
es: Y {n} más.
zh: 另有 {n} 个。
`),
} as const
