import { describe, expect, it } from 'vitest'
import { findPastedTable } from '../../../../../../agents/builtin/planner/intent/pasted-tables/find-pasted-table.ts'

/** The words and the rows, without quotation marks. */
const read = (text: string) => {
  const found = findPastedTable(text)
  return found && [found.words, found.table.replaceAll('"', '')]
}

describe('findPastedTable', () => {
  it.each([
    ['Which is best?\nproduct,units\ntea,120\njuice,80', 'Which is best?', 'product,units\ntea,120\njuice,80'],
    ['Sort this by price:\nitem;price\npen;1,20\ncup;6,00', 'Sort this by price.', 'item;price\npen;1,20\ncup;6,00'],
    ['| a | b |\n|---|:-:|\n| 1 | 2 |\n\nTo CSV, please', 'To CSV, please', 'a,b\n1,2'],
    ['To CSV: | a | b |\n|---|---|\n| 1 | 2 |', 'To CSV.', 'a,b\n1,2'],
    ['Which sells best?\nproduct | units\ntea | 120', 'Which sells best?', 'product | units\ntea | 120'],
    ['Statistics for\nheight,weight\n170,65\n182,80', 'Statistics for the table.', 'height,weight\n170,65\n182,80'],
    ['Make it CSV: [{"a":1},{"a":2}]', 'Make it CSV.', '[{a:1},{a:2}]'],
    ['My expenses:\nrent 950\ngym 39.90\nShare of each?', 'My expenses.\nShare of each?', 'item,expenses\nrent,950\ngym,39.90'],
    ['Sales by rep:\nAnn 1200\nBen 900', 'Sales by rep.', 'rep,sales\nAnn,1200\nBen,900'],
    ['Rank these by population:\nBerlin 3.7\nMunich 1.5', 'Rank these by population.', 'item,population\nBerlin,3.7\nMunich,1.5'],
    ['Draw bars: Mon 12, Tue 18 and Wed 7', 'Draw bars.', 'day,bars\nMon,12\nTue,18\nWed,7'],
    ['Revenue: Jan 5, Feb 7. Which was best?', 'Revenue.\n. Which was best?', 'month,revenue\nJan,5\nFeb,7'],
    ['Quel est le total ?\npain 2,80\nlait 1,20', 'Quel est le total ?', 'poste,montant\npain,2,80\nlait,1,20'],
    ['Wie hoch ist die Summe?\nMiete 1.200\nEssen 350', 'Wie hoch ist die Summe?', 'Posten,Betrag\nMiete,1200\nEssen,350'],
    ['Remove email\nname,email\nAnn,a@x.example\nBob,b@x.example', 'Remove email.', 'name,email\nAnn,a@x.example\nBob,b@x.example'],
    ['Total?\nMortgage 5\nSofa 7', 'Total?', 'item,amount\nMortgage,5\nSofa,7'],
    ['Plot these numbers: 3, 5, 2', 'Plot these numbers.', 'position,amount\n#1,3\n#2,5\n#3,2'],
  ])('finds the table in: %s', (text, words, table) => {
    expect(read(text)).toEqual([words, table])
  })

  it.each([
    'Dear team, yesterday we met Ann, Bob and Cy.\nThey said yes, no, and maybe.',
    'Write to Ann, please.\nThanks, Bob',
    'Invite\nAnn, Bob\nCy, Dora\nEd, Flo',
    'Meetings:\n3 March 2026\n5 April 2026',
    'Call them:\nAnn 0171 5550123\nBob 0172 5550124',
    'Three chairs at 79.50 and a table at 120',
    'Steps: first 1, then go to 2, then 3',
    'Invoice: 12 hours at 85 EUR, 3 hours at 120 EUR',
    'Total?\nflour 500 g\nsugar 2 kg',
    'Total?\nflour 500 g\nsugar 2 kg\nsalt 1 kg',
    'Total?\nrent 950 €\nhotel 120 USD',
    'Total: a 5%, b 3',
    'Sum: 5 km, 3 m, 200 m',
    '["a", "b"]',
    'Compare [{"a": 1',
  ])('finds none in: %s', (text) => {
    expect(findPastedTable(text)).toBeUndefined()
  })

  it('quotes cells, so that a decimal comma divides none', () => {
    expect(findPastedTable('Total?\npain 2,80\nlait 1,20')?.table.split('\n')[1]).toBe('"pain","2,80"')
  })

  it('reads long hostile texts in bounded time', () => {
    const started = performance.now()
    for (const piece of [' ', '\t', '|', '|-', 'a,', '1 ', 'a 1\n', ': a 1, ', '[{', ',\n', '"', '#', 'a: ', '-', '\n'])
      findPastedTable(`x${piece.repeat(20_000)}y`.slice(0, 40_000))
    expect(performance.now() - started).toBeLessThan(4_000)
  })
})
