/** Everyday words for headings, also for headings in other languages. */
import { stemWord } from '../../../../stem-word.ts'

/** Each line has words of one meaning. */
const groups = [
  'sales revenue turnover income takings umsatz erlös ventas ingresos facturación ventes recettes 销售额 收入 营业额',
  'amount value total sum',
  'amount value betrag summe importe monto montant 金额 总额',
  'customer client buyer account purchaser kunde kundin cliente acheteur 客户 顾客 买家',
  'city town location stadt ort ciudad ville 城市',
  'country nation land país pays 国家',
  'region area territory gebiet región 地区 区域',
  'employee staff worker person colleague mitarbeiter empleado employé 员工',
  'salary pay wage compensation gehalt lohn sueldo salario salaire 工资',
  'quantity units qty count pieces menge anzahl stück cantidad unidades quantité 数量 件数',
  'product item article sku produkt artikel producto artículo produit 商品 产品 名称',
  'department team dept division abteilung departamento 部门',
  'expense cost spend spending expenditure kosten ausgaben gasto gastos coste dépense 费用 支出',
  'visit traffic visitor session',
  'churned churn cancellation cancelled lost',
  'signup registration subscriber',
  'date day time datum fecha 日期 时间',
  'status state estado statut 状态',
  'category type kind group kategorie categoría catégorie 类别 分类 种类',
  'rating score stars bewertung note calificación 评分',
  'name title bezeichnung nombre nom 名称 姓名',
  'salesperson rep seller agent salesman verkäufer vendedor vendeur 销售员',
  'price cost preis precio prix 单价 价格',
  'vendor supplier lieferant proveedor fournisseur 供应商',
  'email mail e-mail',
  'profit earnings gewinn beneficio bénéfice 利润',
  'age old alter edad âge 年龄',
  'hour duration time stunden dauer horas heures 小时',
  'temperature temp temperatur temperatura température 温度',
  'stall stand booth kiosk puesto 摊位',
  'store shop branch outlet filiale laden tienda sucursal magasin boutique 门店 商店 店铺',
  'sleep slept asleep schlaf sueño sommeil 睡眠',
  'electricity power energy consumption usage kwh stromverbrauch verbrauch consumo consommation 用电量',
  'latency duration ms millis milliseconds elapsed',
  'endpoint route path url',
  'pupil student child kid learner schüler schülerin alumno alumna élève 学生',
  'class form klasse clase classe 班级 班',
  'mark score points punkte note nota 成绩 分数',
  'maths math mathe mathematik matemáticas mathématiques 数学',
  'month monat mes mois 月份 月',
  'year jahr año année 年份',
  'week woche semana semaine',
  'weekday wochentag tag',
  'order bestellung auftrag pedido commande 订单',
  'receipt bon bons beleg ticket transactions',
  'payee merchant concept concepto empfänger',
  'member mitglied miembro socio membre 会员',
  'donation gift spende donación don 捐款',
  'distance km kilometre kilometer miles strecke distancia distance',
  'weight kg gewicht peso poids 体重 重量',
  'systolic sbp',
  'diastolic dbp',
  'pulse hr puls pouls pulso 脉搏 心率',
  'height cm größe altura taille 身高',
  'room raum zimmer sala salle 房间',
  'rain rainfall precipitation mm regen niederschlag lluvia pluie 降雨量',
]

const synonyms = new Map<string, Set<string>>()
for (const group of groups) {
  const stems = group.split(' ').map(stemWord)
  for (const stem of stems) synonyms.set(stem, new Set([...(synonyms.get(stem) ?? []), ...stems.filter((other) => other !== stem)]))
}

/** Stems of words that mean the same as a word with this stem. */
export const headingSynonyms = (stem: string): ReadonlySet<string> | undefined => synonyms.get(stem)
