import { describe, expect, it } from 'vitest'
import { withBranches } from './branch-probes.ts'
import { withProbes } from './statement-probes.ts'

const source = `// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;
contract Example {
  function example(bool a, bool b) external view returns (uint256 x) {
    if (a && !b) x = 1;
    assembly { if or(a, b) { x := 5 } }
    try this.example(a, b) returns (uint256) { x = 1; } catch { x = 2; }
    x = a ? 2 : 3;
  }
}
`

describe('withBranches', () => {
  it('reports both outcomes of each condition', () => {
    const { outcomes } = withBranches('Example.sol', source)
    const described = outcomes.map(({ line, text, came }) => `${line} ${text.length > 8 ? 'try' : text}: ${came}`)
    const both = (condition: string) => [`${condition}: true`, `${condition}: false`]
    expect(described.sort()).toEqual(
      [...both('5 a'), ...both('5 b'), ...both('6 a'), ...both('6 b'), ...both('7 try'), ...both('8 a')].sort(),
    )
  })
})

describe('withProbes', () => {
  // What `hardhat test --coverage` counts. So the conditions need probes of our own.
  it('reports whole statements, and assembly as one', () => {
    const { statements } = withProbes('Example.sol', source)
    expect(statements.map(({ text }) => text.trim())).toEqual([
      'if (a && !b) x = 1;',
      'x = 1;',
      'assembly { if or(a, b) { x := 5 } }',
      'try this.example(a, b) returns (uint256) { x = 1; } catch { x = 2; }',
      'x = 1;',
      'x = 2;',
      'x = a ? 2 : 3;',
    ])
  })
})
