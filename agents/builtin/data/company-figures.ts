/**
 * Annual figures of public companies, in million US dollars, as printed in the consolidated statements of their annual
 * reports (Form 10-K). Taken year by year from the report of that fiscal year, unless `restated` names a later one.
 * The reports round to a million (Netflix's are in thousands; they are rounded to a million here). Losses are negative.
 * Years that the company later restated for a new accounting standard stand as restated, and say so.
 */
export type Metric = 'revenue' | 'net_income'

export type Company = {
  readonly name: string
  readonly aliases: readonly string[]
  readonly fiscalYearEnd: string
  readonly first: { readonly [metric in Metric]?: number }
  readonly revenue: readonly number[]
  readonly net_income?: readonly number[]
  /** The later report that restates a fiscal year, and the reason. */
  readonly restated?: { readonly [year: number]: { readonly report: number; readonly why: string } }
  readonly note?: string
}

const asc606 = 'restated on the adoption of ASC 606'

export const companyFigures: readonly Company[] = [
  {
    name: 'Microsoft',
    aliases: ['MSFT'],
    fiscalYearEnd: '30 June',
    first: { revenue: 2010, net_income: 2010 },
    revenue: [
      62_484, 69_943, 73_723, 77_849, 86_833, 93_580, 91_154, 96_571, 110_360, 125_843, 143_015, 168_088, 198_270, 211_915, 245_122,
    ],
    net_income: [18_760, 23_150, 16_978, 21_863, 22_074, 12_193, 20_539, 25_489, 16_571, 39_240, 44_281, 61_271, 72_738, 72_361, 88_136],
    restated: { 2016: { report: 2018, why: asc606 }, 2017: { report: 2018, why: asc606 } },
    note: 'Fiscal years 2016 and later are under ASC 606; 2015 and earlier are as first reported, so 2015 to 2016 is not like for like.',
  },
  {
    name: 'Apple',
    aliases: ['AAPL', 'Apple Computer'],
    fiscalYearEnd: 'the last Saturday of September',
    first: { revenue: 2010, net_income: 2010 },
    revenue: [
      65_225, 108_249, 156_508, 170_910, 182_795, 233_715, 215_639, 229_234, 265_595, 260_174, 274_515, 365_817, 394_328, 383_285, 391_035,
    ],
    net_income: [14_013, 25_922, 41_733, 37_037, 39_510, 53_394, 45_687, 48_351, 59_531, 55_256, 57_411, 94_680, 99_803, 96_995, 93_736],
    note: 'Revenue is called net sales in its reports.',
  },
  {
    name: 'Alphabet',
    aliases: ['Google', 'GOOGL', 'GOOG'],
    fiscalYearEnd: '31 December',
    first: { revenue: 2014, net_income: 2015 },
    revenue: [66_001, 74_989, 90_272, 110_855, 136_819, 161_857, 182_527, 257_637, 282_836, 307_394, 350_018],
    net_income: [16_348, 19_478, 12_662, 30_736, 34_343, 40_269, 76_033, 59_972, 73_795, 100_118],
    note: 'Reported as Google before fiscal year 2015.',
  },
  {
    name: 'Amazon',
    aliases: ['AMZN', 'Amazon.com'],
    fiscalYearEnd: '31 December',
    first: { revenue: 2010, net_income: 2010 },
    revenue: [
      34_204, 48_077, 61_093, 74_452, 88_988, 107_006, 135_987, 177_866, 232_887, 280_522, 386_064, 469_822, 513_983, 574_785, 637_959,
    ],
    net_income: [1_152, 631, -39, 274, -241, 596, 2_371, 3_033, 10_073, 11_588, 21_331, 33_364, -2_722, 30_425, 59_248],
    note: 'Revenue is called net sales in its reports.',
  },
  {
    name: 'Meta',
    aliases: ['Facebook', 'Meta Platforms', 'META', 'FB'],
    fiscalYearEnd: '31 December',
    first: { revenue: 2012, net_income: 2012 },
    revenue: [5_089, 7_872, 12_466, 17_928, 27_638, 40_653, 55_838, 70_697, 85_965, 117_929, 116_609, 134_902, 164_501],
    net_income: [53, 1_500, 2_940, 3_688, 10_217, 15_934, 22_112, 18_485, 29_146, 39_370, 23_200, 39_098, 62_360],
    note: 'Reported as Facebook before fiscal year 2021.',
  },
  {
    name: 'Nvidia',
    aliases: ['NVDA'],
    fiscalYearEnd: 'the last Sunday of January',
    first: { revenue: 2015, net_income: 2016 },
    revenue: [4_682, 5_010, 6_910, 9_714, 11_716, 10_918, 16_675, 26_914, 26_974, 60_922, 130_497],
    net_income: [614, 1_666, 3_047, 4_141, 2_796, 4_332, 9_752, 4_368, 29_760, 72_880],
    note: 'Fiscal year 2020 ended in January 2020: eleven of its months are in 2019.',
  },
  {
    name: 'Netflix',
    aliases: ['NFLX'],
    fiscalYearEnd: '31 December',
    first: { revenue: 2014, net_income: 2014 },
    revenue: [5_505, 6_780, 8_831, 11_693, 15_794, 20_156, 24_996, 29_698, 31_616, 33_723, 39_001],
    net_income: [267, 123, 187, 559, 1_211, 1_867, 2_761, 5_116, 4_492, 5_408, 8_712],
  },
  {
    name: 'Tesla',
    aliases: ['TSLA', 'Tesla Motors'],
    fiscalYearEnd: '31 December',
    first: { revenue: 2014 },
    revenue: [3_198, 4_046, 7_000, 11_759, 21_461, 24_578, 31_536, 53_823, 81_462, 96_773, 97_690],
  },
  {
    name: 'Intel',
    aliases: ['INTC'],
    fiscalYearEnd: 'the last Saturday of December',
    first: { revenue: 2014 },
    revenue: [55_870, 55_355, 59_387, 62_761, 70_848, 71_965, 77_867, 79_024, 63_054, 54_228, 53_101],
  },
]
