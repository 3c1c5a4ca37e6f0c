/** Bars by group and series, on a logarithmic scale, as an SVG for light and dark backgrounds. */
export type BarPlot = {
  readonly title: string
  readonly unit: string
  readonly series: readonly string[]
  readonly groups: readonly { readonly label: string; readonly values: readonly number[] }[]
}

const width = 720
const left = 132
const right = 96
const barHeight = 16
const groupGap = 18
const top = 62
/** Each also differs from the others in lightness. */
const fills = ['a', 'b', 'c', 'd']

const style = `
  text { font: 13px ui-sans-serif, system-ui, sans-serif; fill: #1b1915 }
  .title { font-size: 15px; font-weight: 600 } .faint { fill: #6b6456 } .grid { stroke: #d8d0bf }
  .a { fill: #0b5d59 } .b { fill: #c27c0e } .c { fill: #7c94b8 } .d { fill: #8d8473 }
  @media (prefers-color-scheme: dark) {
    text { fill: #f0ede6 } .faint { fill: #9d988d } .grid { stroke: #3a403c }
    .a { fill: #5fc7bb } .b { fill: #eeb245 } .c { fill: #a3c4ef } .d { fill: #9d988d }
  }`

export function barPlot({ title, unit, series, groups }: BarPlot): string {
  const values = groups.flatMap((group) => group.values).filter((value) => value > 0)
  const from = Math.floor(Math.log10(Math.min(...values)))
  const to = Math.max(from + 1, Math.ceil(Math.log10(Math.max(...values))))
  const x = (value: number) => left + ((Math.log10(value) - from) / (to - from)) * (width - left - right)
  const groupHeight = series.length * barHeight + groupGap
  const height = top + groups.length * groupHeight + 30
  const descriptions = groups.map(
    ({ label, values }) => `${label}: ${series.map((name, index) => `${name} ${figure(values[index] ?? 0)}`).join(', ')}`,
  )
  const ticks = Array.from({ length: to - from + 1 }, (_, index) => 10 ** (from + index))
  const floor = height - 26
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="t d">`,
    `<title id="t">${title}</title><desc id="d">${descriptions.join('; ')}. ${unit}, logarithmic.</desc><style>${style}\n</style>`,
    `<text class="title" x="0" y="18">${title}</text>`,
    ...series.map((name, index) => {
      const at = index * 190
      return `<rect class="${fills[index]}" x="${at}" y="32" width="12" height="12" rx="2"/><text x="${at + 18}" y="43">${name}</text>`
    }),
    ...ticks.map((tick) => {
      const at = round(x(tick))
      return `<line class="grid" x1="${at}" x2="${at}" y1="${top - 6}" y2="${floor}"/><text class="faint" x="${at}" y="${height - 8}" text-anchor="middle">${figure(tick)}</text>`
    }),
    ...groups.flatMap((group, index) => {
      const y = top + index * groupHeight
      const middle = y + (series.length * barHeight) / 2 + 5
      return [
        `<text x="0" y="${middle}">${group.label}</text>`,
        ...group.values.map((value, bar) => {
          const end = value > 0 ? Math.max(left + 2, x(value)) : left
          const at = y + bar * barHeight
          return `<rect class="${fills[bar]}" x="${left}" y="${at + 1}" width="${round(end - left)}" height="${barHeight - 3}" rx="2"/><text x="${round(end + 6)}" y="${at + 12}">${figure(value)}</text>`
        }),
      ]
    }),
    `<text class="faint" x="${width}" y="43" text-anchor="end">${unit}</text>`,
    '</svg>',
    '',
  ].join('\n')
}

const round = (value: number) => Number(value.toFixed(1))

/** A figure as people read it: three digits, and a word for a thousand or a million. */
export function figure(value: number): string {
  if (value === 0) return '0'
  const steps = [
    [1e9, ' billion'],
    [1e6, ' million'],
    [1, ''],
  ] as const
  const [step, name] = steps.find(([min]) => value >= min) ?? [1, '']
  const digits = Number((value / step).toPrecision(3))
  return `${digits.toLocaleString('en-US', { maximumFractionDigits: 4 })}${name}`
}
