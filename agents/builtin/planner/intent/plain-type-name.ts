/** Names of artifact types as a client would say them. */

const names: { readonly [type: string]: string } = {
  'table.series': 'a table of the figures',
  'chart.text': 'a chart as text',
  'chart.svg': 'a chart as a picture (SVG)',
  'analysis.trend': 'an analysis of the trend',
  'report.markdown': 'a report',
  'review.verdict': 'a review of the report',
}

/** `a report` for `report.markdown`. Types of other publishers keep their names. */
export const plainTypeName = (type: string): string => names[type] ?? type
