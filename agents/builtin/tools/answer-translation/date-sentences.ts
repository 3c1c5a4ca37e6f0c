/** The sentences of the tool for dates. */
import { readTemplates } from './sentence-template.ts'

export const dateSentences = readTemplates(`
en: {c:span} from {a:date} to {b:date} ({notes:rules}).
de: {c} vom {a} bis zum {b} ({notes}).
fr: {c} du {a} au {b} ({notes}).
es: {c} del {a} al {b} ({notes}).
zh: 从{a}到{b}共 {c}（{notes}）。

en: No, {d:iso} is no date: {m:time} has {n:number} days.
de: Nein, {d} ist kein Datum: {m} hat {n} Tage.
fr: Non, {d} n'est pas une date : {m} a {n} jours.
es: No, {d} no es una fecha: {m} tiene {n} días.
zh: 不，{d} 不是有效日期：{m}只有 {n} 天。

en: Yes, {d:iso} is a date: {w:weekday}, {e:date}.
de: Ja, {d} ist ein Datum: {w}, der {e}.
fr: Oui, {d} est une date : {w} {e}.
es: Sí, {d} es una fecha: {w}, {e}.
zh: 是，{d} 是有效日期：{e}，{w}。

en: From {a:text} at {x:clock} on {d:date} to {b:text} at {y:clock} on {e:date}: {s:span}.
de: Von {a} um {x} am {d} bis {b} um {y} am {e}: {s}.
fr: De {a} à {x} le {d} à {b} à {y} le {e} : {s}.
es: De {a} a las {x} el {d} a {b} a las {y} el {e}: {s}.
zh: 从 {a} {d} {x} 到 {b} {e} {y}：{s}。

en: {x:writtenDate} is {y:writtenDate}.
de: {x} ist {y}.
fr: {x} : {y}.
es: {x}: {y}.
zh: {x} 为 {y}。

en: {d:date} is {y:writtenDate}.
de: {d} ist {y}.
fr: {d} : {y}.
es: {d}: {y}.
zh: {d} 为 {y}。

en: Arrival in {a:text} at {x:clock} on {d:date}: {s:span} after {y:clock} on {e:date} in {b:text}.
de: Ankunft in {a} um {x} am {d}: {s} nach {y} am {e} in {b}.
fr: Arrivée à {a} à {x} le {d} : {s} après {y} le {e} à {b}.
es: Llegada a {a} a las {x} el {d}: {s} después de las {y} del {e} en {b}.
zh: {d} {x} 到达 {a}：{b} {e} {y} 之后 {s}。

en: {a:clock} to {b:clock}[ on the next day][ without {n:number} minutes of break] is {s:span}.
de: {a} bis {b}[ am nächsten Tag][ ohne {n} Minuten Pause] sind {s}.
fr: De {a} à {b}[ le lendemain][ sans {n} minutes de pause], cela fait {s}.
es: De {a} a {b}[ del día siguiente][ sin {n} minutos de descanso] son {s}.
zh: {a} 到[次日] {b}[，扣除休息 {n} 分钟]，共 {s}。

en: {d:date} is a {w:weekday}.
de: Der {d} ist ein {w}.
fr: Le {d} est un {w}.
es: El {d} es {w}.
zh: {d}是{w}。

en: {d:date} was a {w:weekday}.
de: Der {d} war ein {w}.
fr: Le {d} était un {w}.
es: El {d} fue {w}.
zh: {d}是{w}。

en: Yes: {d:date} is a {w:weekday}.
de: Ja: Der {d} ist ein {w}.
fr: Oui : le {d} est un {w}.
es: Sí: el {d} es {w}.
zh: 是：{d}是{w}。

en: Yes: {d:date} was a {w:weekday}.
de: Ja: Der {d} war ein {w}.
fr: Oui : le {d} était un {w}.
es: Sí: el {d} fue {w}.
zh: 是：{d}是{w}。

en: No: {d:date} is a {w:weekday}.
de: Nein: Der {d} ist ein {w}.
fr: Non : le {d} est un {w}.
es: No: el {d} es {w}.
zh: 否：{d}是{w}。

en: No: {d:date} was a {w:weekday}.
de: Nein: Der {d} war ein {w}.
fr: Non : le {d} était un {w}.
es: No: el {d} fue {w}.
zh: 否：{d}是{w}。

en: {w:weekday}, {d:date} ({i:iso}).
de: {w}, {d} ({i}).
fr: {^w} {d} ({i}).
es: {^w}, {d} ({i}).
zh: {d}，{w}（{i}）。

en: {d:date} is in ISO week {n:number} of {y:year}.
de: Der {d} liegt in der Kalenderwoche {n} von {y} (ISO).
fr: Le {d} est dans la semaine ISO {n} de {y}.
es: El {d} está en la semana ISO {n} de {y}.
zh: {d}在{y}年的第 {n} 周（ISO）。

en: {d:date} is day {n:number} of {y:year}, which has {m:number} days.
de: Der {d} ist Tag {n} von {y}, und dieses Jahr hat {m} Tage.
fr: Le {d} est le jour {n} de {y}, une année de {m} jours.
es: El {d} es el día {n} de {y}, que tiene {m} días.
zh: {d}是{y}年的第 {n} 天，该年有 {m} 天。

en: {d:date} is in quarter {n:number} of {y:year}.
de: Der {d} liegt im Quartal {n} von {y}.
fr: Le {d} est dans le trimestre {n} de {y}.
es: El {d} está en el trimestre {n} de {y}.
zh: {d}在{y}年第 {n} 季度。

en: Yes: {y:year} has {n:number} days.
de: Ja: {y} hat {n} Tage.
fr: Oui : {y} a {n} jours.
es: Sí: {y} tiene {n} días.
zh: 是：{y}年有 {n} 天。

en: No: {y:year} has {n:number} days.
de: Nein: {y} hat {n} Tage.
fr: Non : {y} a {n} jours.
es: No: {y} tiene {n} días.
zh: 否：{y}年有 {n} 天。

en: {y:year} has {n:number} days.
de: {y} hat {n} Tage.
fr: {y} a {n} jours.
es: {y} tiene {n} días.
zh: {y}年有 {n} 天。

en: {m:time} has {n:number} days.
de: {m} hat {n} Tage.
fr: {^m} a {n} jours.
es: {^m} tiene {n} días.
zh: {m}有 {n} 天。

en: {c:span} old today: {s:span} since {d:date}.
de: Heute {c} alt: {s} seit dem {d}.
fr: Âge aujourd'hui : {c} ; {s} depuis le {d}.
es: Edad hoy: {c}; {s} desde el {d}.
zh: 到今天满 {c}：从{d}起共 {s}。

en: {c:span} old on {t:date}: {s:span} since {d:date}.
de: Am {t} {c} alt: {s} seit dem {d}.
fr: Âge le {t} : {c} ; {s} depuis le {d}.
es: Edad el {t}: {c}; {s} desde el {d}.
zh: 到{t}满 {c}：从{d}起共 {s}。

en: {w:weekday}, {d:date} ({f:date} + {s:span}).
de: {w}, {d} ({f} + {s}).
fr: {^w} {d} ({f} + {s}).
es: {^w}, {d} ({f} + {s}).
zh: {d}，{w}（{f} + {s}）。

en: {w:weekday}, {d:date} ({f:date} − {s:span}).
de: {w}, {d} ({f} − {s}).
fr: {^w} {d} ({f} − {s}).
es: {^w}, {d} ({f} − {s}).
zh: {d}，{w}（{f} − {s}）。

en: {w:weekday}, {d:date} ({f:date} + {s:span}, counting Monday to Friday only; public holidays are not considered).
de: {w}, {d} ({f} + {s}, nur Montag bis Freitag gezählt; Feiertage sind nicht berücksichtigt).
fr: {^w} {d} ({f} + {s}, du lundi au vendredi seulement ; les jours fériés ne sont pas pris en compte).
es: {^w}, {d} ({f} + {s}, contando solo de lunes a viernes; no se tienen en cuenta los días festivos).
zh: {d}，{w}（{f} + {s}，只计星期一至星期五；未考虑法定假日）。

en: {w:weekday}, {d:date} ({f:date} − {s:span}, counting Monday to Friday only; public holidays are not considered).
de: {w}, {d} ({f} − {s}, nur Montag bis Freitag gezählt; Feiertage sind nicht berücksichtigt).
fr: {^w} {d} ({f} − {s}, du lundi au vendredi seulement ; les jours fériés ne sont pas pris en compte).
es: {^w}, {d} ({f} − {s}, contando solo de lunes a viernes; no se tienen en cuenta los días festivos).
zh: {d}，{w}（{f} − {s}，只计星期一至星期五；未考虑法定假日）。

en: {x:code} is {w:weekday}, {d:date}, {t:clock} UTC.
de: {x} ist {w}, {d}, {t} UTC.
fr: {x} correspond au {w} {d}, {t} UTC.
es: {x} es {w}, {d}, {t} UTC.
zh: {x} 是 {d}{w} {t} UTC。

en: {x:code} is {w:weekday}, {d:date}, {t:clock} UTC (read as milliseconds).
de: {x} ist {w}, {d}, {t} UTC (als Millisekunden gelesen).
fr: {x} correspond au {w} {d}, {t} UTC (lu en millisecondes).
es: {x} es {w}, {d}, {t} UTC (leído en milisegundos).
zh: {x} 是 {d}{w} {t} UTC（按毫秒理解）。

en: {d:date}, {t:clock} UTC is the Unix timestamp {x:code}.
de: {d}, {t} UTC ist der Unix-Zeitstempel {x}.
fr: {^d}, {t} UTC correspond à l'horodatage Unix {x}.
es: {^d}, {t} UTC es la marca de tiempo Unix {x}.
zh: {d} {t} UTC 的 Unix 时间戳是 {x}。

en: {t:clock} on {d:date} in {a:text} is {u:clock} on {e:date} in {b:text}.
de: {t} am {d} in {a} ist {u} am {e} in {b}.
fr: {t} le {d} à {a} correspond à {u} le {e} à {b}.
es: Las {t} del {d} en {a} son las {u} del {e} en {b}.
zh: {a} {d} {t} 是 {b} {e} {u}。

en: It is {t:clock} on {d:date} in {a:text}.
de: In {a} ist es {t} am {d}.
fr: À {a}, il est {t} le {d}.
es: En {a} son las {t} del {d}.
zh: {a} 现在是 {d} {t}。

en: {a:text} is {c:span} ahead of {b:text} on {d:date}.
de: {a} ist {b} am {d} um {c} voraus.
fr: {a} est en avance de {c} sur {b} le {d}.
es: {a} está {c} por delante de {b} el {d}.
zh: {d} {a} 比 {b} 早 {c}。

en: {a:text} is {c:span} behind {b:text} on {d:date}.
de: {a} liegt am {d} um {c} hinter {b}.
fr: {a} est en retard de {c} sur {b} le {d}.
es: {a} está {c} por detrás de {b} el {d}.
zh: {d} {a} 比 {b} 晚 {c}。

en: {a:text} and {b:text} have the same time on {d:date}.
de: {a} und {b} haben am {d} dieselbe Uhrzeit.
fr: {a} et {b} ont la même heure le {d}.
es: {a} y {b} tienen la misma hora el {d}.
zh: {d} {a} 和 {b} 的时间相同。

en: Today is {i:isoDate} (UTC).
de: Heute ist der {i} (UTC).
fr: Nous sommes le {i} (UTC).
es: Hoy es el {i} (UTC).
zh: 今天是{i}（UTC）。

en: {n:number} answers are in the file.
de: {n} Antworten stehen in der Datei.
fr: {n} réponses sont dans le fichier.
es: Hay {n} respuestas en el archivo.
zh: 文件中有 {n} 个答案。

en: Dates
de: Datumsrechnung
fr: Dates
es: Fechas
zh: 日期

en: Computed with the Gregorian calendar.
de: Mit dem gregorianischen Kalender berechnet.
fr: Calculé avec le calendrier grégorien.
es: Calculado con el calendario gregoriano.
zh: 按公历计算。
`)

/** How days are counted. Several stand with a semicolon between them. */
export const countingRules = readTemplates(`
en: both days are counted
de: beide Tage sind mitgezählt
fr: les deux jours sont comptés
es: se cuentan ambos días
zh: 首尾两天都计入

en: the first day is not counted
de: der erste Tag ist nicht mitgezählt
fr: le premier jour n'est pas compté
es: no se cuenta el primer día
zh: 第一天不计入

en: Monday to Friday, both days counted
de: Montag bis Freitag, beide Tage mitgezählt
fr: du lundi au vendredi, les deux jours comptés
es: de lunes a viernes, ambos días contados
zh: 星期一至星期五，首尾两天都计入

en: Saturdays and Sundays, both days counted
de: Samstage und Sonntage, beide Tage mitgezählt
fr: samedis et dimanches, les deux jours comptés
es: sábados y domingos, ambos días contados
zh: 星期六和星期日，首尾两天都计入

en: both days counted
de: beide Tage mitgezählt
fr: les deux jours comptés
es: ambos días contados
zh: 首尾两天都计入

en: public holidays are not subtracted
de: Feiertage sind nicht abgezogen
fr: les jours fériés ne sont pas déduits
es: los días festivos no se descuentan
zh: 未扣除法定假日

en: public holidays are not considered
de: Feiertage sind nicht berücksichtigt
fr: les jours fériés ne sont pas pris en compte
es: no se tienen en cuenta los días festivos
zh: 未考虑法定假日

en: {s:span}
de: {s}
fr: {s}
es: {s}
zh: {s}
`)
