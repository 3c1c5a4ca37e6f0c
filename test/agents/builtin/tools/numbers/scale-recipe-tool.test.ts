import { describe, expect, it } from 'vitest'
import { scaleRecipeTool } from '../../../../../agents/builtin/tools/numbers/scale-recipe-tool.ts'
import { askTool, runTool, toolGoal } from './ask-tool.ts'

const ask = (text: string) => askTool(scaleRecipeTool, text)

describe('number.scale', () => {
  it.each([
    [
      'My recipe is for 4 people and needs 350 g flour, 2 eggs and 120 ml milk. I need it for 10 people.',
      'For 10 instead of 4 (× 2.5): 875 g flour, 5 eggs, 300 ml milk.',
    ],
    [
      'Double this recipe: 1 1/2 cups sugar, 2 eggs, 1/3 cup oil, a pinch of salt',
      '× 2: 3 cups sugar, 4 eggs, 2/3 cup oil, a pinch of salt. What has no amount stays as it is.',
    ],
    ['half of the recipe please: 500g flour, 3 eggs, 250 ml water, 7 g yeast', '× 0.5: 250 g flour, 1.5 eggs, 125 ml water, 3.5 g yeast.'],
    [
      'Scale from 4 to 6 servings\n- 200 g rice\n- 1 onion\n- ½ tsp salt\n- 2 cloves garlic',
      'For 6 instead of 4 (× 1.5): 300 g rice, 1.5 onion, 3/4 tsp salt, 3 cloves garlic.',
    ],
    [
      'This makes 12 muffins: 250g flour, 100g sugar, 2 eggs, 125 ml milk. I want 30 muffins',
      'For 30 instead of 12 (× 2.5): 625 g flour, 250 g sugar, 5 eggs, 312.5 ml milk.',
    ],
    [
      'I need 300 g pasta, 2 tomatoes and 50 g cheese for 2 people, how much for 5?',
      'For 5 instead of 2 (× 2.5): 750 g pasta, 5 tomatoes, 125 g cheese.',
    ],
    [
      'recipe for 6: flour 300g, butter 150 g, sugar 75g. what do i need for 4?',
      'For 4 instead of 6 (× 2/3): flour 200 g, butter 100 g, sugar 50 g.',
    ],
    ['triple it: 400 g Möhren, 2 l Brühe', '× 3: 1,200 g möhren, 6 l brühe.'],
    ['triple it: 2 cups flour, 1 tsp salt, 3/4 cup water', '× 3: 6 cups flour, 3 tsp salt, 2 1/4 cup water.'],
    [
      '2-3 carrots, 1 kg potatoes, salt to taste serves 4. Scale it to 6',
      'For 6 instead of 4 (× 1.5): 3 to 4.5 carrots, 1.5 kg potatoes, salt to taste. What has no amount stays as it is.',
    ],
    [
      'For 8 people instead of 4: 400 g minced meat, 2 onions, 2 tbsp oil',
      'For 8 instead of 4 (× 2): 800 g minced meat, 4 onions, 4 tbsp oil.',
    ],
    [
      "Hi! my grandma's soup recipe serves 6 and takes 1.5 kg beef, 4 carrots, 2 onions and 3 l water. We are 15 people, can you adjust it? thanks",
      'For 15 instead of 6 (× 2.5): 3.75 kg beef, 10 carrots, 5 onions, 7.5 l water.',
    ],
    ['The recipe is for 3 people: 100 g rice. I need it for 7 people', 'For 7 instead of 3 (× 2 1/3): ≈ 233.33 g rice.'],
  ])('%s', async (goal, answer) => {
    expect(await ask(goal)).toBe(answer)
  })

  it('asks for the portions that are missing, and reads the answer', async () => {
    const goal = 'Pancakes: 200 g flour, 300 ml milk, 2 eggs. I need it for 10 people'
    expect(await ask(goal)).toBe('asks: For how many portions are these amounts? Answer with a number, such as “4”.')
    expect(await ask(`${goal}\n4`)).toBe('For 10 instead of 4 (× 2.5): 500 g flour, 750 ml milk, 5 eggs.')
  })

  it('writes the list as a file', async () => {
    const { outputs } = await runTool(scaleRecipeTool, 'double it: 200 g rice, 1 onion')
    expect(outputs).toMatchObject([{ name: 'amounts.md', artifact_type: 'amounts.scaled' }])
    expect(outputs[0]?.text).toContain('- 400 g rice\n- 2 onion')
  })

  it('refuses a query that is no list', () => {
    const inputs = [{ port: 'query', type: 'query.scaling', data: { list: 'a nice soup' } }]
    expect(() => scaleRecipeTool.run({ inputs })).toThrow(/I cannot read “a nice soup” as a list to scale/)
  })

  it.each([
    'make this recipe vegan: 200 g flour, 2 eggs, for 4 people, I need it for 8',
    'Recipe for 4: 200 g flour, 2 eggs. Bake at 180 degrees for 25 minutes. I need it for 8',
    'I need 10 people for a party',
    'double the price of 20 euros',
    'Recipe for 3 people needs 100 g rice. I need it for 7 people. How long does it cook?',
    'Write me a recipe for 4 people with 200 g flour, I need it for 8',
    'How much VAT is on 300 for 4 people?',
    'Split 240 between 4 people',
    'Give me a recipe for pancakes for 4',
    'Double 20',
    'My invoice says 3 items, the delivery note says 4, and the customer says 2.',
  ])('does not take %s', async (goal) => {
    expect(await ask(goal)).toBe('not taken')
  })

  it('takes time that is linear in the goal', () => {
    const before = performance.now()
    scaleRecipeTool.readGoal(toolGoal(`double it: ${'2 cups flour, '.repeat(200)}`))
    scaleRecipeTool.readGoal(toolGoal(`recipe for 4 ${'needs '.repeat(400)}2 eggs, I need it for 8`))
    expect(performance.now() - before).toBeLessThan(2_000)
  })
})
