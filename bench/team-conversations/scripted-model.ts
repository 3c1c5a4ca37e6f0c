/** The output of the scripted model: the same text for both schemes, a few sentences per turn. */
export const goal =
  'Find out how the price of bread in the three largest cities has moved since 2015, say which months were unusual and why, and give a short report with one chart that a reader without training understands.'

export const teamMembers = [
  {
    name: 'lead',
    desc: 'Plans goals of research and writing: splits them into steps that can be checked, finds who does them best for the price, keeps everybody to the deadline, and puts the results together into one answer. Asks back when a criterion can be read in two traffic, and says plainly what could not be done.',
  },
  {
    name: 'worker',
    desc: 'Looks up official series of figures, cleans them, and says where each number is from. Knows the tables of statistical offices and central banks, converts units and currencies at the rate of the day, fills no gaps by guessing, and gives a table with one row per month and a note for every break in the series.',
  },
] as const

const openings = ['I looked at', 'Before we go on with', 'There is one more thing about', 'We should settle', 'What worries me is']
const subjects = [
  'the monthly series',
  'the three cities',
  'the base year',
  'the two outliers of 2022',
  'the chart',
  'the source of the second table',
]
const endings = [
  'the figures before 2017 come from another survey, so that a jump there says nothing about the price itself.',
  'I would rather show the index than the price, because the loaf that is measured changed in between.',
  'if we leave it out we have to say so in the report, in the first paragraph and not in a footnote.',
  'that costs one more request, and gives us the months that are missing now.',
]

/** The text of a turn: different for every number, about fifty words. */
export function turnText(turn: number): string {
  const pick = <T>(list: readonly T[], by: number) => list[(turn * by) % list.length] as T
  return `${pick(openings, 1)} ${pick(subjects, 5)}: ${pick(endings, 3)} For point ${turn} of our list that means that ${pick(endings, 1)} Do you agree, or do you see it in another way?`
}
