import { describe, expect, it } from 'vitest'
import { unitsTool } from '../../../../../agents/builtin/tools/numbers/units-tool.ts'
import { askTool, runTool, toolGoal } from './ask-tool.ts'

const ask = (text: string) => askTool(unitsTool, text)

describe('number.units', () => {
  it.each([
    ['Convert 7 km to miles and 7 km to feet', '7 km ≈ 4.3495983 mi (1 mi = 1.609344 km). 7 km ≈ 22,965.879 ft (1 km ≈ 3,280.8399 ft).'],
    ['9 mu in square metres', '9 mu = 6,000 m² (1 mu ≈ 666.66667 m²; a Chinese mu of 666⅔ m²).'],
    ['convert 5 miles to km', '5 mi = 8.04672 km (1 mi = 1.609344 km).'],
    ['72 °F in Celsius', '72 °F ≈ 22.222222 °C (°C = (°F − 32) × 5 ÷ 9).'],
    ['how many seconds are in 3 weeks', '3 weeks = 1,814,400 seconds (1 week = 604,800 seconds).'],
    ['How many feet are in a mile?', '1 mi = 5,280 ft.'],
    ['how many ounces make a pound?', '1 lb = 16 oz.'],
    ['How much is 2.5 kg in pounds?', '2.5 kg ≈ 5.5115566 lb (1 kg ≈ 2.2046226 lb).'],
    ['What is 180 cm in feet and inches?', '180 cm ≈ 5 ft 10.87 in.'],
    [`I'm 6'2", how tall is that in cm?`, '6 ft 2 in = 187.96 cm (1 ft = 30.48 cm).'],
    ['My oven shows 350 F. What is that in Celsius?', '350 °F ≈ 176.66667 °C (°C = (°F − 32) × 5 ÷ 9).'],
    ["What's 98.6 Fahrenheit in Celsius?", '98.6 °F = 37 °C (°C = (°F − 32) × 5 ÷ 9).'],
    ['Convert 60 miles per hour to metres per second', '60 mi/h = 26.8224 m/s (1 m/s ≈ 2.2369363 mi/h).'],
    ['How many square feet are in an acre?', '1 acre = 43,560 ft².'],
    ['Convert 3 GiB to MB', '3 GiB = 3,221.225472 MB (1 GiB = 1,073.741824 MB).'],
    ['5 l/100km in mpg', '5 L/100 km ≈ 47.042917 mpg (US gallons).'],
    ['what is half a mile in metres', '0.5 mi = 804.672 m (1 mi = 1,609.344 m).'],
    ['Can you convert 12 stone 4 pounds to kg?', '12 st 4 lb = 78.01788764 kg (1 st = 6.35029318 kg).'],
    ['Convert 250 grams to ounces, rounded to 2 decimals', '250 g ≈ 8.82 oz (1 oz = 28.349523125 g).'],
    ['8 oz in ml', '8 fl oz = 236.5882365 mL (1 fl oz = 29.5735295625 mL; a US fluid ounce).'],
    ['How many days are there in 3 years?', '3 years = 1,095 days (1 year = 365 days; a year of 365 days).'],
    ['how many hours does a week have', '1 week = 168 hours.'],
    ['Convert 5 miles to km and 10 kg to pounds', '5 mi = 8.04672 km (1 mi = 1.609344 km). 10 kg ≈ 22.046226 lb (1 kg ≈ 2.2046226 lb).'],
    ['Hello, I need to know how many yards are in 400 metres. It is for a race.', '400 m ≈ 437.44532 yd (1 m ≈ 1.0936133 yd).'],
  ])('%s', async (goal, answer) => {
    expect(await ask(goal)).toBe(answer)
  })

  it.each([
    [
      'I am 5 ft 11 and weigh 172 lbs, whats that in cm and kg',
      '5 ft 11 in = 180.34 cm (1 ft = 30.48 cm). 172 lb = 78.01788764 kg (1 kg ≈ 2.2046226 lb).',
    ],
    ['I need to know how many grams 8 oz are', '8 oz = 226.796185 g (1 oz = 28.349523125 g).'],
    ['8 oz in grams', '8 oz = 226.796185 g (1 oz = 28.349523125 g).'],
    ['convert 12 oz and 3 lb to grams', '12 oz = 340.1942775 g (1 oz = 28.349523125 g). 3 lb = 1,360.77711 g (1 lb = 453.59237 g).'],
    ['what is 5 miles and 10 miles in km?', '5 mi = 8.04672 km (1 mi = 1.609344 km). 10 mi = 16.09344 km (1 mi = 1.609344 km).'],
    ['height 1.78 m and weight 80 kg in feet/inches and pounds', '1.78 m ≈ 5 ft 10.08 in. 80 kg ≈ 176.36981 lb (1 kg ≈ 2.2046226 lb).'],
    [
      'My flat is 850 sq ft and the garden 0.25 acres. How many square metres are these?',
      '850 ft² = 78.967584 m² (1 m² ≈ 10.76391 ft²). 0.25 acres = 1,011.7141056 m² (1 acre = 4,046.8564224 m²).',
    ],
    [
      "It's 30 C today and wind is 20 km/h. Tell me in F and mph",
      '30 °C = 86 °F (°F = °C × 9 ÷ 5 + 32). 20 km/h ≈ 12.427424 mph (1 mph = 1.609344 km/h).',
    ],
    [
      'i weigh 80 kilos, how many pounds and how many stone is that?',
      '80 kg ≈ 176.36981 lb (1 kg ≈ 2.2046226 lb). 80 kg ≈ 12.597844 st (1 st = 6.35029318 kg).',
    ],
  ])('several quantities: %s', async (goal, answer) => {
    expect(await ask(goal)).toBe(answer)
  })

  it('distinguishes bits from bytes by the case of the symbol', async () => {
    expect(await ask('80 Mb in MB')).toBe('80 Mbit = 10 MB (1 MB = 8 Mbit).')
    expect(await ask('80 MB in Mb')).toBe('80 MB = 640 Mbit (1 MB = 8 Mbit).')
  })

  it('has no exchange rates, and takes the one that the client gives', async () => {
    const question = 'asks: There are no exchange rates here. At which rate do I convert? Answer such as “1 USD = 0.92 EUR”.'
    expect(await ask('Convert 100 USD to EUR')).toBe(question)
    expect(await ask('How much is 100 dollars in euros?')).toBe(question)
    expect(await ask('How much is 100 dollars in euros?\n1 EUR = 1.25 USD')).toBe('100 USD = 80.00 EUR at your rate of 0.8.')
    const inputs = [{ port: 'query', type: 'query.unit_conversion', data: { conversion: '100 USD to EUR' } }]
    expect(() => unitsTool.run({ inputs })).toThrow(/no exchange rates here/)
  })

  it('asks which unit is meant if the two measure different things', async () => {
    expect(await ask('convert 5 miles to kg')).toBe(
      'asks: mi measures length and kg measures mass, so neither converts to the other. Which unit do you mean?',
    )
  })

  it('refuses what is below absolute zero', async () => {
    expect(await ask('-500 C in F')).toBe('refused: -500 °C is below absolute zero, so it is no temperature.')
  })

  it('writes a file with the factor', async () => {
    const { outputs } = await runTool(unitsTool, '5 miles in km')
    expect(outputs).toMatchObject([{ name: 'result.md', media_type: 'text/markdown', artifact_type: 'number.result' }])
    expect(outputs[0]?.text).toContain('- 5 mi = 8.04672 km (1 mi = 1.609344 km).')
  })

  it.each([
    'translate 5 miles of text',
    'The room is 12 ft by 15 ft, how big is that in square metres?',
    'My suitcase weighs 23 kg and is 55 x 40 x 20 cm. In lbs and inches?',
    'I ran 5 miles and 10 miles, what is the total in km?',
    '5 kg and 3 miles in pounds',
    'I am 5 ft 11 and weigh 172 lbs, is that healthy in cm and kg',
    'write 5 pages in 3 days',
    'How many people live in 3 villages',
    'convert 5 pages to PDF',
    'convert this CSV to JSON',
    'I ran 5 miles in 40 minutes. Write a post about it.',
    'Plan a trip of 3 weeks in May',
    'How many days until Christmas?',
    'How many days are in February 2028?',
    'Turn 3 hours of audio into text',
    'change 5 minutes to 10 minutes',
    'Convert 20 to binary',
    'Wandle 5 Meilen in km um',
    'Combien de secondes y a-t-il dans 3 semaines ?',
  ])('does not take %s', async (goal) => {
    expect(await ask(goal)).toBe('not taken')
  })

  it('takes time that is linear in the goal', () => {
    const before = performance.now()
    unitsTool.readGoal(toolGoal('how many 5 in '.repeat(280)))
    unitsTool.readGoal(toolGoal(`convert ${'1 ft '.repeat(700)}to km`))
    expect(performance.now() - before).toBeLessThan(2_000)
  })

  const convertStated = async (text: string) => {
    const reading = unitsTool.readGoal({ text, words: text, quotations: [], files: [] })
    if (!reading || 'question' in reading) return reading?.question
    return (await unitsTool.run({ inputs: [{ port: 'query', type: 'query.unit_conversion', data: reading.query }] })).text
  }
  it.each([
    [
      'Rental car in the US: the ad says 31 mpg, what is that in l/100km? And 2300 miles in km. The tyres should have 36 psi, I need that in bar',
      ['31 mpg ≈ 7.5875672 L/100 km (US gallons).', '2,300 mi = 3,701.4912 km', '36 psi ≈ 2.4821126 bar'],
    ],
    ['My oven is in fahrenheit, recipe says 180 celsius. and 250 ml in cups please', ['180 °C = 356 °F', '250 mL ≈ 1.0566882 cups']],
    ['suitcase limit is 50 lbs, I need kg. Also 62 inches in cm', ['50 lb = 22.6796185 kg', '62 in = 157.48 cm']],
    ['uk car: 45 mpg, how much l/100km is that?', ['45 mpg (imperial) ≈ 6.27']],
  ])('converts all quantities of %s', async (text, answers) => {
    const converted = await convertStated(text)
    for (const answer of answers) expect(converted).toContain(answer)
  })

  it.each([
    '2300 miles at 31 mpg, how many gallons do I need?',
    'the tank holds 15 gallons, how many liters is that, and what does it cost at 3.50',
  ])('leaves out nothing of %s', async (text) => {
    expect(await convertStated(text)).toBeUndefined()
  })
})
