/** What a conversion of units says about a unit. */
import { readTemplates } from './sentence-template.ts'

export const unitNotes = readTemplates(`
en: {a:quantity} = {b:quantity}
de: {a} = {b}
fr: {a} = {b}
es: {a} = {b}
zh: {a} = {b}

en: {a:quantity} ≈ {b:quantity}
de: {a} ≈ {b}
fr: {a} ≈ {b}
es: {a} ≈ {b}
zh: {a} ≈ {b}

en: {f:temperatureRule}
de: {f}
fr: {f}
es: {f}
zh: {f}

en: a US gallon
de: US-Gallone
fr: gallon américain
es: galón estadounidense
zh: 美制加仑

en: US gallons
de: US-Gallonen
fr: gallons américains
es: galones estadounidenses
zh: 美制加仑

en: a US quart
de: US-Quart
fr: quart américain
es: cuarto estadounidense
zh: 美制夸脱

en: a US pint
de: US-Pint
fr: pinte américaine
es: pinta estadounidense
zh: 美制品脱

en: a US cup
de: US-Tasse
fr: tasse américaine
es: taza estadounidense
zh: 美制杯

en: a US fluid ounce
de: US-Flüssigunze
fr: once liquide américaine
es: onza líquida estadounidense
zh: 美制液量盎司

en: a US tablespoon
de: US-Esslöffel
fr: cuillère à soupe américaine
es: cucharada estadounidense
zh: 美制汤匙

en: a US teaspoon
de: US-Teelöffel
fr: cuillère à café américaine
es: cucharadita estadounidense
zh: 美制茶匙

en: a US short ton of {n:number} lb
de: US-Tonne (Short Ton) zu {n} lb
fr: tonne courte américaine de {n} lb
es: tonelada corta estadounidense de {n} lb
zh: 美制短吨，合 {n} lb

en: an imperial ton of {n:number} lb
de: britische Tonne (Long Ton) zu {n} lb
fr: tonne impériale de {n} lb
es: tonelada imperial de {n} lb
zh: 英制长吨，合 {n} lb

en: an oil barrel of {n:number} US gallons
de: Ölbarrel zu {n} US-Gallonen
fr: baril de pétrole de {n} gallons américains
es: barril de petróleo de {n} galones estadounidenses
zh: 石油桶，合 {n} 美制加仑

en: a calorie of {n:number} J, not a food calorie
de: Kalorie zu {n} J, keine Nahrungskalorie
fr: calorie de {n} J, pas une calorie alimentaire
es: caloría de {n} J, no una caloría alimentaria
zh: 每卡 {n} J，不是食品大卡

en: mechanical horsepower
de: mechanische Pferdestärke
fr: cheval-vapeur mécanique
es: caballo de fuerza mecánico
zh: 机械马力

en: a month of 1/12 year
de: ein Monat zu 1/12 Jahr
fr: un mois de 1/12 d'année
es: un mes de 1/12 de año
zh: 每月按 1/12 年计

en: a quarter of a year of {n:number} days
de: ein Viertel eines Jahres zu {n} Tagen
fr: un quart d'une année de {n} jours
es: un cuarto de un año de {n} días
zh: 按每年 {n} 天的四分之一计

en: a year of {n:number} days
de: ein Jahr zu {n} Tagen
fr: une année de {n} jours
es: un año de {n} días
zh: 每年按 {n} 天计

en: a leap year of {n:number} days
de: ein Schaltjahr zu {n} Tagen
fr: une année bissextile de {n} jours
es: un año bisiesto de {n} días
zh: 闰年按 {n} 天计

en: years of {n:number} days
de: Jahre zu {n} Tagen
fr: années de {n} jours
es: años de {n} días
zh: 每年按 {n} 天计
`)
