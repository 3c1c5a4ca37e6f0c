/** The sentences of the tools for prices, loans and recipes. */
import { readTemplates } from './sentence-template.ts'

/** By skill id. */
export const priceSentences = {
  'number.prices': readTemplates(`
en: {p:priceParts} (rounded to cents).
de: {p} (auf Cent gerundet).
fr: {p} (arrondi au centime).
es: {p} (redondeado a céntimos).
zh: {p}（四舍五入到分）。

en: {p:priceParts}.
de: {p}.
fr: {p}.
es: {p}.
zh: {p}。

en: {n:number} rounded shares are {m:money} less than the total.
de: {n} gerundete Anteile ergeben {m} weniger als die Summe.
fr: {n} parts arrondies font {m} de moins que le total.
es: {n} partes redondeadas suman {m} menos que el total.
zh: {n} 份四舍五入后的金额比总额少 {m}。

en: {n:number} rounded shares are {m:money} more than the total.
de: {n} gerundete Anteile ergeben {m} mehr als die Summe.
fr: {n} parts arrondies font {m} de plus que le total.
es: {n} partes redondeadas suman {m} más que el total.
zh: {n} 份四舍五入后的金额比总额多 {m}。

en: Mark-up on the cost: {a:percentage}.
de: Aufschlag auf die Kosten: {a}.
fr: Majoration sur le coût : {a}.
es: Recargo sobre el coste: {a}.
zh: 成本加成率：{a}。

en: Margin of the price: {a:percentage}.
de: Marge vom Preis: {a}.
fr: Marge sur le prix : {a}.
es: Margen sobre el precio: {a}.
zh: 售价毛利率：{a}。

en: Cheapest per unit: {a:quantityText}, {p:percentage} less than {b:quantityText}.
de: Am günstigsten je Einheit: {a}, {p} weniger als {b}.
fr: Le moins cher par unité : {a}, {p} de moins que {b}.
es: Lo más barato por unidad: {a}, {p} menos que {b}.
zh: 单价最低：{a}，比 {b} 低 {p}。

en: {a:quantityText} and {b:quantityText} have the same price per unit.
de: {a} und {b} haben je Einheit denselben Preis.
fr: {a} et {b} ont le même prix par unité.
es: {a} y {b} tienen el mismo precio por unidad.
zh: {a} 和 {b} 的单价相同。

en: The file has all {n:number} amounts.
de: Alle {n} Beträge stehen in der Datei.
fr: Les {n} montants sont tous dans le fichier.
es: Los {n} importes están todos en el archivo.
zh: 全部 {n} 个金额见文件。

en: # Prices
de: # Preise
fr: # Prix
es: # Precios
zh: # 价格

en: | Amount | How | Rounded | Exact |
de: | Betrag | Berechnung | Gerundet | Genau |
fr: | Montant | Calcul | Arrondi | Exact |
es: | Importe | Cálculo | Redondeado | Exacto |
zh: | 金额 | 计算 | 舍入后 | 精确值 |

en: | {l:priceLabel} | [{h:priceHow}] | {a:money} | {e:exactAmount} |
de: | {l} | [{h}] | {a} | {e} |
fr: | {l} | [{h}] | {a} | {e} |
es: | {l} | [{h}] | {a} | {e} |
zh: | {l} | [{h}] | {a} | {e} |

en: Rounded half up to cents.
de: Auf Cent gerundet, ab der Hälfte aufwärts.
fr: Arrondi au centime, la moitié vers le haut.
es: Redondeado a céntimos, la mitad hacia arriba.
zh: 四舍五入到分。
`),
  'number.loans': readTemplates(`
en: The monthly payment is {p:money} for {a:money}[ after {d:money} paid down] at {r:percentage} a year over {t:term}; in total {s:money}, of which {i:money} is interest.
de: Die Monatsrate ist {p} für {a}[ nach {d} Anzahlung] bei {r} im Jahr über {t}; insgesamt {s}, davon {i} Zinsen.
fr: La mensualité est de {p} pour {a}[ après {d} d'apport] à {r} par an sur {t} ; au total {s}, dont {i} d'intérêts.
es: La cuota mensual es de {p} por {a}[ tras {d} de entrada] al {r} anual durante {t}; en total {s}, de los cuales {i} son intereses.
zh: 贷款 {a}[（首付 {d} 之后）]，年利率 {r}，期限 {t}，每月还款 {p}；合计 {s}，其中利息 {i}。

en: {a:money} at {r:percentage} a year is paid off after {t:termAfter} with {p:money} a month; the last payment is {l:money}, and the interest is {i:money} in total.
de: {a} bei {r} im Jahr sind nach {t} mit {p} im Monat abbezahlt; die letzte Rate ist {l}, und die Zinsen sind insgesamt {i}.
fr: {a} à {r} par an sont remboursés après {t} avec {p} par mois ; le dernier paiement est de {l}, et les intérêts sont de {i} au total.
es: {a} al {r} anual se pagan en {t} con {p} al mes; el último pago es de {l} y los intereses son {i} en total.
zh: {a}，年利率 {r}，每月还 {p}，{t}后还清；最后一期为 {l}，利息合计 {i}。

en: After {t:termAfter} it is {e:money}: {a:money} paid in and {i:money} interest, at {r:percentage} a year, added {o:often}.
de: Nach {t} sind es {e}: {a} eingezahlt und {i} Zinsen, bei {r} im Jahr, gutgeschrieben {o}.
fr: Après {t}, cela fait {e} : {a} versés et {i} d'intérêts, à {r} par an, ajoutés {o}.
es: Después de {t} son {e}: {a} aportados y {i} de intereses, al {r} anual, abonados {o}.
zh: {t}后为 {e}：存入 {a}，利息 {i}，年利率 {r}，{o}计息。

en: The simple interest is {i:money} on {a:money} at {r:percentage} a year for {t:term}; the sum is {s:money}.
de: Die einfachen Zinsen sind {i} auf {a} bei {r} im Jahr für {t}; die Summe ist {s}.
fr: Les intérêts simples sont de {i} sur {a} à {r} par an pendant {t} ; la somme est {s}.
es: El interés simple es de {i} sobre {a} al {r} anual durante {t}; la suma es {s}.
zh: {a} 按年利率 {r}、期限 {t}计算，单利为 {i}；本息合计 {s}。

en: # Interest
de: # Zinsen
fr: # Intérêts
es: # Intereses
zh: # 利息

en: | {l:loanLabel} | {a:money} |
de: | {l} | {a} |
fr: | {l} | {a} |
es: | {l} | {a} |
zh: | {l} | {a} |

en: | {l:loanLabel} | {a:money} and {b:money} at the end of each month |
de: | {l} | {a} und {b} am Ende jedes Monats |
fr: | {l} | {a} et {b} à la fin de chaque mois |
es: | {l} | {a} y {b} al final de cada mes |
zh: | {l} | {a}，每月末 {b} |

en: Annuity: payment = loan × i × (1 + i)^n ÷ ((1 + i)^n − 1), with i = yearly rate ÷ 12 and n months.
de: Annuität: Rate = Darlehen × i × (1 + i)^n ÷ ((1 + i)^n − 1), mit i = Jahreszins ÷ 12 und n Monaten.
fr: Annuité : mensualité = prêt × i × (1 + i)^n ÷ ((1 + i)^n − 1), avec i = taux annuel ÷ 12 et n mois.
es: Anualidad: cuota = préstamo × i × (1 + i)^n ÷ ((1 + i)^n − 1), con i = tipo anual ÷ 12 y n meses.
zh: 等额还款：每期还款 = 贷款 × i × (1 + i)^n ÷ ((1 + i)^n − 1)，其中 i = 年利率 ÷ 12，n 为月数。

en: Payments are at the end of each month.
de: Die Raten sind am Ende jedes Monats fällig.
fr: Les paiements sont à la fin de chaque mois.
es: Los pagos son al final de cada mes.
zh: 每月末还款。

en: Fees are not considered, and a bank rounds each payment, so its totals may differ by cents.
de: Gebühren sind nicht berücksichtigt, und eine Bank rundet jede Rate; ihre Summen können um Cent abweichen.
fr: Les frais ne sont pas pris en compte, et une banque arrondit chaque paiement ; ses totaux peuvent différer de quelques centimes.
es: No se tienen en cuenta las comisiones, y un banco redondea cada pago; sus totales pueden diferir en céntimos.
zh: 未考虑费用；银行对每期还款取整，因此总额可能有几分钱的差别。

en: Each month: balance × (1 + yearly rate ÷ 12) − payment, until nothing is left.
de: Jeden Monat: Restschuld × (1 + Jahreszins ÷ 12) − Rate, bis nichts übrig ist.
fr: Chaque mois : solde × (1 + taux annuel ÷ 12) − paiement, jusqu'à ce qu'il ne reste rien.
es: Cada mes: saldo × (1 + tipo anual ÷ 12) − pago, hasta que no quede nada.
zh: 每月：余额 × (1 + 年利率 ÷ 12) − 还款，直到还清。

en: Fees are not considered.
de: Gebühren sind nicht berücksichtigt.
fr: Les frais ne sont pas pris en compte.
es: No se tienen en cuenta las comisiones.
zh: 未考虑费用。

en: End = start × (1 + i)^n + deposit × ((1 + i)^n − 1) ÷ i, with i = yearly rate ÷ 12 and n months.
de: Ende = Anfang × (1 + i)^n + Einzahlung × ((1 + i)^n − 1) ÷ i, mit i = Jahreszins ÷ 12 und n Monaten.
fr: Fin = départ × (1 + i)^n + versement × ((1 + i)^n − 1) ÷ i, avec i = taux annuel ÷ 12 et n mois.
es: Final = inicio × (1 + i)^n + aportación × ((1 + i)^n − 1) ÷ i, con i = tipo anual ÷ 12 y n meses.
zh: 期末 = 期初 × (1 + i)^n + 每期存入 × ((1 + i)^n − 1) ÷ i，其中 i = 年利率 ÷ 12，n 为月数。

en: Deposits are at the end of each month.
de: Die Einzahlungen sind am Ende jedes Monats.
fr: Les versements sont à la fin de chaque mois.
es: Las aportaciones son al final de cada mes.
zh: 每月末存入。

en: Taxes and fees are not considered.
de: Steuern und Gebühren sind nicht berücksichtigt.
fr: Les impôts et les frais ne sont pas pris en compte.
es: No se tienen en cuenta impuestos ni comisiones.
zh: 未考虑税费。

en: End = start × (1 + i)^n, with i = yearly rate ÷ {k:number} and n = {n:number} interest periods.
de: Ende = Anfang × (1 + i)^n, mit i = Jahreszins ÷ {k} und n = {n} Zinsperioden.
fr: Fin = départ × (1 + i)^n, avec i = taux annuel ÷ {k} et n = {n} périodes d'intérêt.
es: Final = inicio × (1 + i)^n, con i = tipo anual ÷ {k} y n = {n} períodos de interés.
zh: 期末 = 期初 × (1 + i)^n，其中 i = 年利率 ÷ {k}，n = {n} 个计息期。

en: Interest = amount × yearly rate × months ÷ 12, without interest on interest.
de: Zinsen = Betrag × Jahreszins × Monate ÷ 12, ohne Zinseszins.
fr: Intérêts = montant × taux annuel × mois ÷ 12, sans intérêts composés.
es: Intereses = importe × tipo anual × meses ÷ 12, sin interés compuesto.
zh: 利息 = 金额 × 年利率 × 月数 ÷ 12，不计复利。
`),
  'number.scale': readTemplates(`
en: {h:scaleHead}: the file has all {n:number} amounts.
de: {h}: Alle {n} Mengen stehen in der Datei.
fr: {h} : les {n} quantités sont toutes dans le fichier.
es: {h}: las {n} cantidades están todas en el archivo.
zh: {h}：全部 {n} 个用量见文件。

en: {h:scaleHead}: {l:scaledLines}.
de: {h}: {l}.
fr: {h} : {l}.
es: {h}: {l}.
zh: {h}：{l}。

en: What has no amount stays as it is.
de: Was keine Menge hat, bleibt, wie es ist.
fr: Ce qui n'a pas de quantité reste tel quel.
es: Lo que no tiene cantidad queda igual.
zh: 没有用量的保持不变。

en: # Scaled amounts
de: # Umgerechnete Mengen
fr: # Quantités recalculées
es: # Cantidades recalculadas
zh: # 换算后的用量

en: Computed exactly.
de: Exakt berechnet.
fr: Calculé exactement.
es: Calculado de forma exacta.
zh: 精确计算。

en: An amount after ≈ is rounded.
de: Eine Menge nach ≈ ist gerundet.
fr: Une quantité après ≈ est arrondie.
es: Una cantidad después de ≈ está redondeada.
zh: ≈ 之后的用量经过舍入。

en: {h:scaleHead}
de: {h}
fr: {h}
es: {h}
zh: {h}

en: - {l:scaledLines}
de: - {l}
fr: - {l}
es: - {l}
zh: - {l}
`),
} as const
