/** Goals that people write the first time: polite, pasted, with words of the day. Each answer was computed without the product. */
import { declined, delivered, type GoalCase, suggested } from '../goal-case.ts'

const late = { name: 'late.csv', content: 'team,name,late_days\nOps,Ann,4\nOps,Bob,6\nLab,Cid,7\nLab,Dan,1\nDesk,Eve,2\n' }
const books = { name: 'books.csv', content: 'title,author,status\nDune,Herbert,read\nEmma,Austen,open\nIliad,Homer,lent\n' }

const english: readonly GoalCase[] = [
  delivered('Bar chart of our daily orders please: Mon 12, Tue 18, Wed 7', [/sum of orders by day/, /Tue 18/, /<svg/]),
  delivered('Which team had the most late days per person on average? The file is attached.', [/Ops, 5/], { files: [late] }),
  delivered('Please give me the mean, median and sample standard deviation of my test scores: 4.1, 4.3, 3.9, 4.6', [
    /mean 4\.225/,
    /median 4\.2/,
    /sample standard deviation ≈ 0\.298608/,
  ]),
  delivered(
    'A flight departs from London on 3 June 2026 at 11:15 and arrives in New York the same day at 14:05. How long is the flight?',
    /7 hours and 50 minutes/,
  ),
  delivered('Solve 5y - 4 = 2y + 11 for my homework, thanks', /y = 5/),
  delivered('md5 of the text green parrot', /7cd9950a50946e34380b694a1cc8c00f/),
  delivered(`Which of these match the regex ${String.raw`^\d{4}-[A-Z]$`} ?\n2024-A\n24-B\n1999-Z`, [/2024-A: matches/, /24-B: no match/]),
  delivered('Who is registered but has not paid?\nRegistered: Ann, Bob, Cid\nPaid: Cid', [/Ann, Bob/, /2 of 3/]),
  delivered('List title and author where status is not read', [/Emma, Austen/, /Iliad, Homer/], { files: [books] }),
  delivered(
    'How many litres of paint do I need for the walls of a room 5 m by 4 m and 2.4 m high, one coat, if a litre covers 8 square metres?',
    /= 5\.4/,
  ),
  delivered('Is 2026-06-31 a valid date?', /June 2026 has 30 days/),
  delivered('Put these dates into ISO: 7 May 2024, 21 Dec 2023', [/2024-05-07/, /2023-12-21/]),
  delivered('List the first Tuesday of every month of 2027', /5 January 2027/),
  delivered('Chart of week 1: 5, week 2: 8, week 3: 6', [/week 2 8/, /<svg/]),
  declined('can you help me with my data please', 'vague'),
  declined('i need help with my text', 'vague'),
  declined(
    'My flight leaves Springfield on 8 October 2026 at 17:25 and lands in Frankfurt at 22:50. How long am I in the air?',
    'impossible',
  ),
]

const others: readonly GoalCase[] = [
  delivered(
    'In welcher Stadt war die Miete am höchsten, und wie hoch ist die Miete insgesamt?\n\nStadt;Miete\nBern;1.450,50\nGenf;1.870,00\nBasel;1.320,25',
    [/Frage 1/, /Genf mit 1\.870/, /4\.640,75/, /Summe von Miete/],
    { language: 'de' },
  ),
  delivered('Wie viele Tage sind es vom 1. Mai 2026 bis Silvester 2026?', /244 Tage/, { language: 'de' }),
  delivered('teile 84 durch 6 Personen', /= 14/, { language: 'de' }),
  delivered('wie alt bin ich, wenn ich am 12. März 2001 geboren bin?', /Jahre alt.*12\. März 2001/, { language: 'de' }),
  declined('Kannst du mir bei meinen Zahlen helfen?', 'vague', { language: 'de' }),
  delivered('Calcule la moyenne de 7, 8, 12', /= 9/, { language: 'fr' }),
  delivered('Convertis 20 miles en kilomètres, c’est pour mes devoirs, merci', /32,18688/, { language: 'fr' }),
  delivered('¿Cuántos días quedan hasta el 1 de enero de 2030?', /días del .* al 1 de enero de 2030/, { language: 'es' }),
  suggested(
    'La comida costó 96,60 € y somos 4. ¿Cuánto paga cada uno si dejamos un 10 % de propina?',
    /split between 4 people/,
    [/26,57/, /personas/],
    { language: 'es' },
  ),
  delivered('计算 8, 10, 15 的平均值', /= 11/, { language: 'zh' }),
  delivered('我存10000元，年利率3%，每年复利一次，存五年，到期能拿多少钱？', [/≈ 11592\.74\u00A0元/, /利息/], { language: 'zh' }),
  delivered('请把下面的表格按数量从低到高排序：\n品名,数量\n笔,30\n纸,12\n尺,18', /纸,12\n尺,18\n笔,30/, { language: 'zh' }),
]

export const newcomerGoals: readonly GoalCase[] = [...english, ...others]
