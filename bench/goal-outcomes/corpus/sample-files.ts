/** Files that the goals of the corpus attach. */

export const sales = {
  name: 'sales.csv',
  content: `Order,Date,Store,Item,Qty,Price,Total
5001,2025-01-03,Leeds,Kettle,2,39.90,79.80
5002,2025-01-03,York,Toaster,1,54.50,54.50
5003,2025-01-17,Leeds,Toaster,3,54.50,163.50
5004,2025-02-08,Hull,Kettle,4,39.90,159.60
5005,2025-02-21,York,Blender,1,89.00,89.00
5006,2025-03-02,Leeds,Blender,2,89.00,178.00
5007,2025-03-11,Hull,Toaster,1,54.50,54.50
5008,2025-03-30,York,Kettle,5,39.90,199.50
`,
}

export const team = {
  name: 'team.csv',
  content: `name;city;age;salary
Noor;Utrecht;34;"4.200,00"
Ilse;Gent;41;"5.150,50"
Teun;Utrecht;29;"3.675,00"
Mila;Gent;52;"6.020,00"
Bram;Leiden;38;"4.480,25"
`,
}

export const visits = {
  name: 'visits.json',
  content: JSON.stringify([
    { month: '2025-01', visits: 1200, signups: 60 },
    { month: '2025-02', visits: 1350, signups: 81 },
    { month: '2025-03', visits: 1500, signups: 60 },
    { month: '2025-04', visits: 1425, signups: 114 },
  ]),
}

export const climate = {
  name: 'climate.csv',
  content:
    'Month,Rain (mm),Temperature\nJan,88,2.1\nFeb,61,3.0\nMar,70,6.2\nApr,49,9.8\nMay,66,14.1\nJun,72,17.0\nJul,80,19.2\nAug,91,18.8\nSep,77,15.1\nOct,95,10.7\nNov,101,6.0\nDec,97,3.2\n',
}

export const notes = {
  name: 'notes.txt',
  content: `Meeting of 14 October 2026

The committee met in the town hall. It discussed the new library. The library will cost £2,400,000 and open in 2028. Most members welcomed the library. Two members asked for a cheaper library without a café. The committee will vote on the library in December. Questions go to info@townhall.example or to +44 20 7946 0958. The plans are at https://townhall.example/library.
`,
}

export const oldNotes = { name: 'old-notes.txt', content: 'The library opens in 2027.\nIt has a café.\n' }
export const newNotes = { name: 'new-notes.txt', content: 'The library opens in 2028.\nIt has a café.\n' }
