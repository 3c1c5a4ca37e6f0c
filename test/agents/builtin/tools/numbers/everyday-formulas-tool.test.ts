import { describe, expect, it } from 'vitest'
import { everydayFormulasTool } from '../../../../../agents/builtin/tools/numbers/everyday-formulas-tool.ts'
import { everydayFormulas } from '../../../../../agents/builtin/tools/numbers/formulas/everyday-formulas.ts'
import { readEverydayFormula, writeFormulaProblem } from '../../../../../agents/builtin/tools/numbers/formulas/read-everyday-formula.ts'
import { askTool } from './ask-tool.ts'

describe('everyday formulas', () => {
  it.each([
    [
      'My trip is 420 km, the car needs 7.2 l per 100 km and petrol is 1.79 € per litre. What will it cost?',
      'Fuel: 420 km × 7.2 L/100 km = 30.24 L. Cost: 30.24 L × 1.79 € ≈ 54.13 €.',
    ],
    ['How much fuel for 500 km at 6 l/100 km?', 'Fuel: 500 km × 6 L/100 km = 30 L.'],
    ['A 55 litre tank and 6 l/100 km: how far can I go?', 'Range: 55 L ÷ 6 L/100 km ≈ 916.67 km.'],
    ['How long does it take to drive 330 km at 110 km/h?', 'Time: 330 km ÷ 110 km/h = 3 h.'],
    ['How far do I get in 2.5 hours at 90 km/h?', 'Distance: 90 km/h × 2.5 h = 225 km.'],
    ['I ran 21.1 km in 1 h 48 min. What was my average speed?', 'Speed: 21.1 km ÷ 1.8 h ≈ 11.72 km/h.'],
    ['If I run 10 km in 52 minutes, what is my pace per km?', 'Pace: 52 min ÷ 10 km = 5:12 min/km.'],
    ['What is my BMI at 82 kg and 1.78 m?', 'BMI: 82 kg ÷ (1.78 m)² ≈ 25.88.'],
    ['I earn 3,400 € a month, what is that per hour with a 38 hour week?', 'Per hour: 3,400 € × 12 ÷ (52 × 38 h) ≈ 20.65 €.'],
    ['I earn 40,000 € per year at 40 hours per week. What is that per hour?', 'Per hour: 40,000 € ÷ (52 × 40 h) ≈ 19.23 €.'],
    [
      '18 € per hour at 20 hours a week: what is that per month and per year?',
      'Per month: 18 € × 20 h × 52 ÷ 12 = 1,560.00 €. Per year: 18 € × 20 h × 52 = 18,720.00 €.',
    ],
    [
      'My 60 W lamp burns 5 hours a day. At 0.32 € per kWh, what does it cost per year?',
      'Energy: 60 W × 5 h × 365 = 109.5 kWh. Per year: 109.5 kWh × 0.32 € = 35.04 €.',
    ],
    ["What's the area of a circle with radius 4?", 'Area: π × 4² ≈ 50.27. Circumference: 2 × π × 4 ≈ 25.13.'],
    ['A round table has a diameter of 1.2 m. What is its area?', 'Area: π × 0.6² ≈ 1.13 m². Circumference: 2 × π × 0.6 ≈ 3.77 m.'],
    ['A rectangle is 12.5 m by 8 m. What is its area?', 'Area: 12.5 m × 8 m = 100 m². Perimeter: 2 × (12.5 + 8) = 41 m.'],
    ['How many litres does a tank of 120 x 50 x 40 cm hold?', 'Volume: 120 cm × 50 cm × 40 cm = 240,000 cm³. Volume: 240,000 cm³ = 240 L.'],
    ['Volume of a cylinder with radius 10 cm and height 30 cm', 'Volume: π × 10² × 30 ≈ 9,424.78 cm³. Volume: 9,424.778 cm³ ≈ 9.42 L.'],
    ['Diagonal of a screen that is 3 m by 4 m', 'Diagonal: √(3² + 4²) = 5 m.'],
    ['Area of a triangle with base 6 m and height 4 m', 'Area: 6 × 4 ÷ 2 = 12 m².'],
  ])('%s', async (goal, answer) => {
    expect(await askTool(everydayFormulasTool, goal)).toBe(answer)
  })

  it.each([
    'I drive 35 km to work and back each day at 7 l/100km. How much fuel?',
    'How much fuel for 420 km at 7 l/100 km for three cars?',
    'How many tiles of 30 x 30 cm for a floor of 4 by 3 m?',
    'How long does it take to drive 330 km at 110 km/h with a 20 minute stop?',
    'How long does it take to drive 330 km at 110 km/h with breaks?',
    'Drive 330 km at 110 km/h',
    'What is 12.5 m by 8 m?',
    'A rectangle is 12.5 m by 8 m. Split its area among friends.',
    'Area of a rectangle of 5 and 3 m and 2 m',
    'What is my BMI at 82 kg?',
    'A circle has an area of 12 m². What is its radius?',
    'I earn 3400 a month, what is that per hour?',
    'A wall is 5 m by 2.6 m. How many litres of paint do I need for its area?',
    'Is 420 km at 7 l/100 km a lot?',
    'Area of a triangle with sides 6 m and 4 m',
    'What is the volume of a pyramid of 3 m by 3 m by 4 m?',
    'Area of an ellipse of 3 m by 2 m',
  ])('does not read: %s', async (goal) => {
    expect(await askTool(everydayFormulasTool, goal)).toBe('not taken')
  })

  it.each([
    [
      'de',
      'Ich verdiene 3.400 Euro brutto im Monat bei 38,5 Stunden pro Woche. Wie hoch ist mein Stundenlohn?',
      'Pay per hour: 3,400 € per month; 38.5 h per week',
    ],
    ['de', 'Wie lange brauche ich für 1.250 km mit 100 km/h? Wie lange?', 'Travel time: 1,250 km; 100 km/h'],
    [
      'fr',
      'Combien coûte un trajet de 480 km avec 5,8 l/100 km et un litre à 1,75 € ?',
      'Fuel need and its cost: 480 km; 5.8 L/100 km; 1.75 € per litre',
    ],
    [
      'es',
      'Voy a hacer 640 km y mi coche gasta 6,5 litros a los 100. ¿Cuánto cuesta a 1,62 € el litro?',
      'Fuel need and its cost: 640 km; 6.5 L/100 km; 1.62 € per litre',
    ],
    ['zh', '开车300公里,每百公里8升油,油价每升7.8元,要多少钱?', 'Fuel need and its cost: 300 km; 8 L/100 km; 7.8 元 per litre'],
    ['zh', '我身高175厘米体重70公斤,BMI是多少?', 'Body mass index (BMI): 70 kg; 175 cm'],
  ])('reads %s: %s', (language, text, problem) => {
    const read = readEverydayFormula(text, language)
    expect(read && writeFormulaProblem(read)).toBe(problem)
    // The English sentence is read as the same problem.
    const again = readEverydayFormula(problem, 'en')
    expect(again && writeFormulaProblem(again)).toBe(problem)
  })

  it.each([
    ['de', 'Ich fahre 300 km mit 6 l/100 km hin und zurück. Wie viel Benzin?'],
    ['fr', 'Combien de temps pour 300 km à 100 km/h avec deux pauses ?'],
    ['es', '¿Cuánto cuesta un viaje de 300 km entre tres personas con 6 l/100 km?'],
    ['zh', '来回300公里,每百公里8升油,要多少油?'],
  ])('does not read %s: %s', (language, text) => {
    expect(readEverydayFormula(text, language)).toBeUndefined()
  })

  it('has titles by which each formula is read again', () => {
    const amounts: { readonly [kind: string]: string } = {
      ...{
        length: '5 m',
        area: '5 m²',
        volume: '5 L',
        mass: '5 kg',
        speed: '5 km/h',
        time: '5 h',
        consumption: '5 L/100 km',
        power: '5 kW',
      },
      ...{
        'time per day': '5 h per day',
        'time per week': '5 h per week',
        'money per volume': '5 € per litre',
        'money per energy': '5 € per kWh',
      },
      ...{ 'money per hour': '5 € per hour', 'money per month': '5 € per month', 'money per year': '5 € per year' },
    }
    for (const formula of everydayFormulas) {
      const text = `${formula.title}: ${formula.needs.map((need) => amounts[need.replace('?', '')]).join('; ')}`
      expect(readEverydayFormula(text, 'en')?.formula, text).toBe(formula)
    }
  })

  it('answers in the language of the goal, with its numbers', async () => {
    const problem = 'Fuel need and its cost: 640 km; 6.5 L/100 km; 1.62 € per litre'
    const input = { port: 'query', type: 'query.formula', data: { problem, answer_language: 'es' } }
    expect((await everydayFormulasTool.run({ inputs: [input] })).text).toBe(
      'Combustible: 640 km × 6,5 L/100 km = 41,6 L. Coste: 41,6 L × 1,62 € ≈ 67,39 €.',
    )
  })
})
