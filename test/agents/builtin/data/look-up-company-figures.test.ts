import { describe, expect, it } from 'vitest'
import { Series } from '../../../../agents/builtin/artifacts/table-series.ts'
import { companyFigures } from '../../../../agents/builtin/data/company-figures.ts'
import { bareName, findCompany, lookUpCompanyFigures } from '../../../../agents/builtin/data/look-up-company-figures.ts'

describe('lookUpCompanyFigures', () => {
  it('gives the goal of the guide its seven years, with source and the notes that belong to them', () => {
    const series = lookUpCompanyFigures({ company: 'Microsoft', metric: 'revenue', from: 2014, to: 2020 })
    expect(series.rows).toEqual([
      ['2014', 86_833],
      ['2015', 93_580],
      ['2016', 91_154],
      ['2017', 96_571],
      ['2018', 110_360],
      ['2019', 125_843],
      ['2020', 143_015],
    ])
    expect(series).toMatchObject({ unit: 'million USD', columns: ['Fiscal year', 'Revenue'] })
    expect(series.source).toMatch(/Form 10-K, fiscal years 2014 to 2020 \(2016 from the report of fiscal year 2018/)
    expect(series.notes.join(' ')).toMatch(/30 June.*ASC 606/)
    expect(() => Series.parse(series)).not.toThrow()
  })

  it('leaves notes out that speak of other years', () => {
    expect(lookUpCompanyFigures({ company: 'Microsoft', from: 2020, to: 2024 }).notes).toEqual(["Microsoft's fiscal year ends on 30 June."])
  })

  it.each(['microsoft', 'MICROSOFT CORPORATION', 'Microsoft Corp.', "Microsoft's", 'msft', ' Microsoft, Inc '])(
    'forgives the spelling %s',
    (name) => {
      expect(findCompany(name)?.name).toBe('Microsoft')
    },
  )

  it('knows a company by its former name', () => {
    expect(findCompany('Facebook')?.name).toBe('Meta')
    expect(findCompany('Google')?.name).toBe('Alphabet')
  })

  it('puts several companies beside one another, over the years they share', () => {
    const series = lookUpCompanyFigures({ companies: ['Apple', 'Alphabet'], metric: 'net income' })
    expect(series.columns).toEqual(['Fiscal year', 'Apple', 'Alphabet'])
    expect(series.rows[0]?.[0]).toBe('2015')
    expect(series.rows.every((row) => row.length === 3 && row.every((cell) => cell !== null))).toBe(true)
  })

  it('gives the last years where only their number is asked', () => {
    expect(lookUpCompanyFigures({ company: 'Tesla', last: 3 }).rows.map((row) => row[0])).toEqual(['2022', '2023', '2024'])
  })

  it('keeps losses as losses', () => {
    expect(lookUpCompanyFigures({ company: 'Amazon', metric: 'profit', from: 2022, to: 2022 }).rows).toEqual([['2022', -2_722]])
  })

  it('refuses what it does not have, and states what it has', () => {
    expect(() => lookUpCompanyFigures({ company: 'Nowhere Ltd' })).toThrow(
      /no figures of Nowhere Ltd\. I have Microsoft \(revenue 2010–2024/,
    )
    expect(() => lookUpCompanyFigures({ company: 'Microsoft', from: 2005, to: 2010 })).toThrow(
      /for 2005, 2006, 2007, 2008 and 2009; I have Microsoft/,
    )
    expect(() => lookUpCompanyFigures({ company: 'Tesla', metric: 'net income' })).toThrow(/no net income of Tesla/)
    expect(() => lookUpCompanyFigures({ company: 'Apple', metric: 'headcount' })).toThrow(/not “headcount”/)
    expect(() => lookUpCompanyFigures({ company: 'Apple', from: 2020, to: 2014 })).toThrow(/comes after/)
    expect(() => lookUpCompanyFigures({})).toThrow(/names no company/)
  })

  it('holds no two companies under one name', () => {
    const names = companyFigures.flatMap((company) => [...new Set([company.name, ...company.aliases].map(bareName))])
    expect(new Set(names).size).toBe(names.length)
  })
})
