/** The listings of the agents that run deterministic tools. */
import type { ListingDraft } from '@parley/protocol'
import { type ToolGroup, toolGroups } from './index.ts'

type ToolListing = Pick<ListingDraft, 'name' | 'summary' | 'readme' | 'skills' | 'policy'>

const policy = {
  data_use: 'Inputs are used for the task only, kept in memory, and gone when it ends. No model sees them, and nothing leaves the process.',
  max_concurrency: 8,
}

export const toolListings: { readonly [group in ToolGroup]: ToolListing } = {
  calculator: {
    name: 'House Calculator',
    summary:
      'Exact arithmetic, prices and VAT, loans, unit conversion, everyday formulas, dates, recipe amounts and QR codes, computed by rule.',
    readme:
      'Computes with exact integers and fractions, converts units by their definitions, counts with dates in the Gregorian calendar, and draws QR codes as SVG. The answer is in the message, and the method in the file. What it cannot read it refuses, with the reason.',
    skills: toolGroups.calculator.map(({ skill }) => skill),
    policy,
  },
  tables: {
    name: 'House Tables',
    summary: 'Answers to questions over your own CSV or JSON table, computed from its rows.',
    readme:
      'Reads the table with its separators, decimal commas, currencies, dates and missing cells. It answers questions in plain words: counts, sums, averages, extremes, top lists, shares, groups, filters and differences. Each answer says what was computed over how many rows. A question with a name that is neither a column nor a cell is refused.',
    skills: toolGroups.tables.map(({ skill }) => skill),
    policy,
  },
  text: {
    name: 'House Text',
    summary: 'Counts, extracts, redacts, summarises, compares and transforms texts by rule.',
    readme:
      'Works on a text in quotation marks, after a colon, or in an attached text file of at most 2 MiB. It never writes sentences of its own: a summary quotes sentences unchanged. Redaction finds things of a fixed form, such as addresses and numbers, and no names.',
    skills: toolGroups.text.map(({ skill }) => skill),
    policy,
  },
  formats: {
    name: 'House Formats',
    summary: 'Formats, checks, converts and explains JSON, Markdown, codes, colours, numerals, patterns, schedules and source code.',
    readme:
      'Works by published rules: JSON by RFC 8259, Markdown by CommonMark, contrast by WCAG 2, patterns by RE2. It names the line and the column of a fault. The text stands after a colon, in quotation marks, in backticks, or in an attached text file of at most 1 MiB.',
    skills: toolGroups.formats.map(({ skill }) => skill),
    policy,
  },
}
