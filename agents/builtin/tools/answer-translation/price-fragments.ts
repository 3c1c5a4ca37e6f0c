/** Names of amounts in calculations with prices, and how they are computed. */
import { readTemplates } from './sentence-template.ts'

/** `English = German; French; Spanish; Chinese`. */
const labelLines = `
bill = Rechnung; addition; cuenta; 账单
invoice = Rechnung; facture; factura; 发票金额
net = Netto; net; neto; 净额
gross = Brutto; brut; bruto; 含税额
price = Preis; prix; precio; 价格
subtotal = Zwischensumme; sous-total; subtotal; 小计
total = Gesamtbetrag; total; total; 总计
original price = ursprünglicher Preis; prix d'origine; precio original; 原价
saved = gespart; économie; ahorro; 节省
gross after discount = Brutto nach Rabatt; brut après remise; bruto tras descuento; 折后含税额
after discount = nach Rabatt; après remise; tras el descuento; 折后
sum = Summe; somme; suma; 合计
rest = Rest; reste; resto; 余额
cost = Kosten; coût; coste; 成本
profit = Gewinn; bénéfice; beneficio; 利润
tax = Steuer; taxe; impuesto; 税
discount = Rabatt; remise; descuento; 折扣
deposit = Anzahlung; acompte; depósito; 订金
tip = Trinkgeld; pourboire; propina; 小费
gratuity = Trinkgeld; pourboire; propina; 小费
service = Bedienung; service; servicio; 服务费
service charge = Bedienungszuschlag; service; cargo por servicio; 服务费
surcharge = Zuschlag; supplément; recargo; 附加费
VAT = MwSt.; TVA; IVA; 增值税
value added tax = MwSt.; TVA; IVA; 增值税
sales tax = Umsatzsteuer; taxe de vente; impuesto sobre las ventas; 销售税
GST = GST; GST; GST; GST
HST = HST; HST; HST; HST
TVA = TVA; TVA; TVA; TVA
IVA = IVA; IVA; IVA; IVA
BTW = BTW; BTW; BTW; BTW
mwst = MwSt.; MwSt.; MwSt.; 增值税
ust = USt.; USt.; USt.; 增值税
moms = MOMS; MOMS; MOMS; MOMS
shipping = Versand; livraison; envío; 运费
shipping and handling = Versand und Bearbeitung; livraison et traitement; envío y gestión; 运费和手续费
delivery = Lieferung; livraison; entrega; 送货费
express delivery = Expresslieferung; livraison express; entrega urgente; 加急送货费
postage = Porto; port; franqueo; 邮费
freight = Fracht; fret; flete; 运费
handling = Bearbeitung; traitement; gestión; 手续费
installation = Installation; installation; instalación; 安装费
assembly = Montage; montage; montaje; 组装费
packaging = Verpackung; emballage; embalaje; 包装费
cleaning = Reinigung; nettoyage; limpieza; 清洁费
booking = Buchung; réservation; reserva; 预订费
setup = Einrichtung; mise en service; puesta en marcha; 安装调试费
set-up = Einrichtung; mise en service; puesta en marcha; 安装调试费
call-out = Anfahrt; déplacement; desplazamiento; 上门费
callout = Anfahrt; déplacement; desplazamiento; 上门费
loan = Darlehen; prêt; préstamo; 贷款
monthly payment = Monatsrate; mensualité; cuota mensual; 每月还款
number of payments = Anzahl der Raten; nombre de paiements; número de pagos; 还款期数
last payment = letzte Rate; dernier paiement; último pago; 最后一期
total paid = insgesamt bezahlt; total payé; total pagado; 还款总额
total interest = Zinsen insgesamt; total des intérêts; intereses totales; 利息总额
at the start = am Anfang; au départ; al inicio; 期初
paid in = eingezahlt; versé; aportado; 存入
interest = Zinsen; intérêts; intereses; 利息
at the end = am Ende; à la fin; al final; 期末
amount = Betrag; montant; importe; 金额
`
const plainLabels = labelLines
  .split('\n')
  .flatMap((line) => {
    const [english, others] = line.split(' = ')
    const [de, fr, es, zh] = (others ?? '').split(';').map((one) => one.trim())
    return others === undefined ? [] : [`en: ${english}\nde: ${de}\nfr: ${fr}\nes: ${es}\nzh: ${zh}`]
  })
  .join('\n\n')

export const priceFragments = {
  /** How an amount of a table was computed. */
  priceHows: readTemplates(`
en: sum of the lines
de: Summe der Posten
fr: somme des lignes
es: suma de las líneas
zh: 各项之和

en: as written
de: wie angegeben
fr: comme indiqué
es: según lo indicado
zh: 按所给金额

en: for all together
de: für alle zusammen
fr: pour l'ensemble
es: por todo
zh: 合计价

en: taken from the gross amount
de: vom Bruttobetrag abgezogen
fr: retiré du montant brut
es: restado del importe bruto
zh: 从含税额中扣除

en: original − price paid
de: ursprünglicher Preis − bezahlter Preis
fr: prix d'origine − prix payé
es: precio original − precio pagado
zh: 原价 − 实付价

en: gross − net
de: Brutto − Netto
fr: brut − net
es: bruto − neto
zh: 含税额 − 净额

en: price − cost
de: Preis − Kosten
fr: prix − coût
es: precio − coste
zh: 售价 − 成本

en: price ÷ {f:formula}
de: Preis ÷ {f}
fr: prix ÷ {f}
es: precio ÷ {f}
zh: 价格 ÷ {f}

en: gross ÷ {f:formula}
de: Brutto ÷ {f}
fr: brut ÷ {f}
es: bruto ÷ {f}
zh: 含税额 ÷ {f}

en: cost × {f:formula}
de: Kosten × {f}
fr: coût × {f}
es: coste × {f}
zh: 成本 × {f}

en: total ÷ {f:formula}
de: Summe ÷ {f}
fr: total ÷ {f}
es: total ÷ {f}
zh: 总计 ÷ {f}

en: {p:percentage} of the total
de: {p} der Summe
fr: {p} du total
es: {p} del total
zh: 总计的 {p}

en: {p:percentage} of {f:exactAmount}
de: {p} von {f}
fr: {p} de {f}
es: {p} de {f}
zh: {f} 的 {p}

en: {f:formula}
de: {f}
fr: {f}
es: {f}
zh: {f}
`),

  /** The name of an amount. */
  priceLabels: readTemplates(`
en: {p:percentage} {l:priceLabel}
de: {p} {l}
fr: {p} {l}
es: {p} {l}
zh: {p} {l}

en: each of {n:number}
de: Anteil bei {n} Personen
fr: part pour {n} personnes
es: parte entre {n} personas
zh: {n} 人均摊每份

en: amount {n:number}
de: Betrag {n}
fr: montant {n}
es: importe {n}
zh: 金额 {n}

${plainLabels}`),

  interestTimes: readTemplates(`
en: once a year
de: einmal im Jahr
fr: une fois par an
es: una vez al año
zh: 每年

en: twice a year
de: zweimal im Jahr
fr: deux fois par an
es: dos veces al año
zh: 每半年

en: each quarter
de: jedes Quartal
fr: chaque trimestre
es: cada trimestre
zh: 每季度

en: each month
de: jeden Monat
fr: chaque mois
es: cada mes
zh: 每月

en: each day
de: jeden Tag
fr: chaque jour
es: cada día
zh: 每日
`),

  scaleHeads: readTemplates(`
en: × {f:formula}
de: × {f}
fr: × {f}
es: × {f}
zh: × {f}

en: For {a:number} {x:text} instead of {b:number} {y:text} (× {f:formula})
de: Für {a} statt {b} (× {f})
fr: Pour {a} au lieu de {b} (× {f})
es: Para {a} en lugar de {b} (× {f})
zh: {a} 份代替 {b} 份（× {f}）

en: For {a:number} instead of {b:number} (× {f:formula})
de: Für {a} statt {b} (× {f})
fr: Pour {a} au lieu de {b} (× {f})
es: Para {a} en lugar de {b} (× {f})
zh: {a} 份代替 {b} 份（× {f}）
`),
} as const
