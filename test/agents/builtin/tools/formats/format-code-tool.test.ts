import { describe, expect, it } from 'vitest'
import { formatCodeTool } from '../../../../../agents/builtin/tools/formats/format-code-tool.ts'
import { askFormat } from './ask-format.ts'

const ask = (text: string) => askFormat(formatCodeTool, text)

describe('format.code', () => {
  it.each([
    ['format this sql: select a,b from t where x=1', 'select\n  a,\n  b\nfrom\n  t\nwhere\n  x = 1'],
    ['format this SQL query with uppercase keywords:\nselect count(*) from u', 'SELECT\n  count(*)\nFROM\n  u'],
    ['format sql select * from users', 'select\n  *\nfrom\n  users'],
    ['pretty print this SQL for postgres:\nselect a::text from t', 'select\n  a::text\nfrom\n  t'],
    ['beautify this javascript: function f(a){return a+1}', 'function f(a) {\n  return a + 1;\n}'],
    ['format this js with single quotes and no semicolons:\nconst a = "x";', "const a = 'x'"],
    ['prettify css .a{color:red;margin:0}', '.a {\n  color: red;\n  margin: 0;\n}'],
    ['```ts\ninterface A{a:string;b?:number}\n``` please format', 'interface A {\n  a: string;\n  b?: number;\n}'],
    [
      'Format this html with 4 spaces\n<div><p>Hi</p><ul><li>1</li></ul></div>',
      '<div>\n    <p>Hi</p>\n    <ul>\n        <li>1</li>\n    </ul>\n</div>',
    ],
    [
      'Can you clean up this typescript code for me please?\n\nconst f=(x:number):string=>String(x)',
      'const f = (x: number): string => String(x);',
    ],
  ])('answers %j', async (goal, answer) => {
    const [, ...lines] = (await ask(goal)).split('\n')
    expect(lines.join('\n')).toBe(answer)
  })

  it('names the place of a syntax error, and asks for the language', async () => {
    expect(await ask('format this javascript: function f( {')).toBe(
      'refuses: The JavaScript has a syntax error at line 1, column 14: Unexpected token. Correct it and ask again.',
    )
    expect(await ask('format this code: const x = {a:1}')).toMatch(/^asks: Which language/)
    expect(await ask('format this sql')).toMatch(/^asks: Which text/)
  })

  it.each([
    'format this python: def f(): pass',
    'fix the bug in this javascript: let a = 1',
    'write sql to select users',
    'explain this sql: select 1',
    'Minify this css: .a { color: red }',
    'format my essay',
    'format this javascript and run it: f()',
    'convert this javascript to typescript: let a = 1',
    'Fix the bug in my React app',
  ])('does not take %j', async (goal) => {
    expect(await ask(goal)).toBe('not taken')
  })
})
