import { describe, expect, it } from 'vitest'
import { parseWebQuery, webSkillFunctions } from '../../../../agents/builtin/web/web-skill-functions.ts'

const work = (data: Record<string, string | string[]>) => ({ inputs: [{ port: 'query', type: 'query.web', data }] })

describe('parseWebQuery', () => {
  it('takes the sites that the task names, and begins where it says', () => {
    expect(parseWebQuery(work({ task: 'On https://a.example/x/y?z=1, how many jars has the shelf "top"?' }))).toEqual({
      order: {
        task: 'On https://a.example/x/y?z=1, how many jars has the shelf "top"?',
        sites: ['https://a.example'],
        start: 'https://a.example/x/y?z=1',
        strategy: 'hybrid',
      },
      mode: 'deterministic',
    })
    expect(
      parseWebQuery(work({ task: 'Look at https://a.example.', sites: ['https://b.example:8443'], strategy: 'api', mode: 'model' })),
    ).toMatchObject({
      order: { sites: ['https://b.example:8443'], strategy: 'api' },
      mode: 'model',
    })
  })

  it.each([
    [{}, /task must be/],
    [{ task: 'x'.repeat(2_001) }, /at most 2000/],
    [{ task: 'How many?' }, /Which site/],
    [{ task: 'x', sites: ['nowhere'] }, /no address/],
    [{ task: 'x', sites: [1, 2, 3, 4, 5, 6].map((n) => `https://${n}.example`) }, /5 sites/],
    [{ task: 'https://a.example', strategy: 'force' }, /none of/],
  ])('refuses %j', (data, reason) => expect(() => parseWebQuery(work(data))).toThrow(reason))

  it('refuses a model where none is set up, and a site of this network that no one allowed', async () => {
    const skill = webSkillFunctions({ local: [] })['web.do']
    await expect(async () => skill?.(work({ task: 'On https://a.example, how many?', mode: 'model' }))).rejects.toThrow('No model')
    await expect(async () => skill?.(work({ task: 'On http://127.0.0.1:9, how many jars are there?', strategy: 'api' }))).rejects.toThrow(
      'was not done',
    )
  })
})
