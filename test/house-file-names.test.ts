// A file is named after what it exports, so that its path shows its responsibility.
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { exportsIn, parseSources, readSources } from './support/parse-sources.ts'

/** Names that Next.js requires, and the names that each module of this codebase has for the same thing. */
const fixedNames = new Set(
  'index errors store main page layout route error global-error loading not-found icon robots sitemap manifest opengraph-image'.split(' '),
)
/** Last words that name the kind of a module. The words before them must be in an export. */
const moduleKinds = new Set('store types view layout policy format mapping faults'.split(' '))

/** Files whose name is the better one, each with its reason. */
const exceptions: { readonly [file: string]: string } = {
  'server/db.ts': 'the usual abbreviation of database',
  'server/delivery/outbox.ts': 'the standard term, transactional outbox, for both of its functions',
  'server/markdown/worker.ts': 'the entry point of a worker thread',
  'server/goals/planners/quote-threads/quote-worker.ts': 'the entry point of a worker thread',
  'server/goals/contest/entry-test-worker.ts': 'the entry point of a worker thread',
  'server/delivery/archive/partition-queries.ts': 'a set of queries',
  'server/settlement/rails/map-stripe-objects.ts': 'a set of mappers, one per object',
  'server/search/text/tokenize.ts': 'the standard term, for words and terms',
  'agents/builtin/run-agent.ts': 'an entry point that exports its exit code',
  'agents/src/agent/skill-result.ts': 'a set of functions on a result',
  'agents/src/conversation/selectors.ts': 'the standard term, selectors of a state',
  'agents/builtin/resource-gateway/pool/gateway-pool.ts': 'a gateway is its pool',
  'agents/builtin/resource-gateway/testing/answer-checks.ts': 'a set of checks',
  'agents/builtin/tools/text/segment-text.ts': 'a set of segmenters, into words, sentences and paragraphs',
  'protocol/src/gateway-resource.ts': 'a set of cards, admissions and referrals with public names',
  'protocol/src/sub-team.ts': 'a set of rules with public names',
  'chaos/hub/fault-stages.ts': 'a set of stages',
  'chaos/settlement/run-worker.ts': 'an entry point that exports its options',
  'sim/scale/agent-events.ts': 'a set of event handlers',
  'sim/scale/inject-failures.ts': 'a set of event handlers',
  'sim/scale/read-room-log.ts': 'a set of event handlers',
  'sim/scale/room-owner-hub.ts': 'a set of event handlers',
}
/** Modules beside a page: their base names, because they move with the page. */
const pageModules = new Set(
  'listing-figure-format agent-search-url-mapping payment-channel-signing-policy injection-safe-csv-format skill-ports call-inputs channel-view client server charter-draft-view hub-load-view plan-preview-layout room-diagram-layout room-transitions main-navigation paging'.split(
    ' ',
  ),
)

const singular = (word: string) =>
  word
    .replace(/ies$/, 'y')
    .replace(/(ch|sh|ss|x)es$/, '$1')
    .replace(/([^s])s$/, '$1')
const wordsOf = (name: string) =>
  name
    .replace(/([a-z0-9])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$3-$2')
    .toLowerCase()
    .split('-')
    .filter((word) => word !== '')
    .map(singular)

/** True if one export has all words of the base name, in any order and number. Each side of *and* and *or* needs an export. */
function isNamedAfterExport(base: string, exports: readonly string[]): boolean {
  const words = base.split('-')
  const object = words.length > 1 && moduleKinds.has(words.at(-1) ?? '') ? words.slice(0, -1).join('-') : base
  const sides = object.split(/-(?:and|or)-/)
  return sides.every((side) =>
    exports.some((name) => {
      const own = new Set(wordsOf(name))
      const joined = side.replaceAll('-', '').toLowerCase()
      return name.toLowerCase().includes(joined) || side.split('-').every((word) => own.has(singular(word)))
    }),
  )
}

const sources = readSources(['server', 'agents', 'protocol', 'contracts', 'chaos', 'sim', 'app'])
const files = [...sources.keys()].filter((file) => !/^contracts\/abi\/|\.test\.tsx?$/.test(file))
const baseOf = (file: string) => path.basename(file).replace(/\.tsx?$/, '')
const isExcepted = (file: string) => file in exceptions || (file.startsWith('app/') && pageModules.has(baseOf(file)))

describe('a file', () => {
  const byFile = Map.groupBy(parseSources(sources, exportsIn), ({ file }) => file)
  const isMisnamed = (file: string) => {
    const names = (byFile.get(file) ?? []).map(({ name }) => name)
    return names.length > 0 && !fixedNames.has(baseOf(file)) && !isNamedAfterExport(baseOf(file), names)
  }

  it('has the name of one of its exports', () => {
    expect(files.length).toBeGreaterThan(1_000)
    expect(files.filter((file) => isMisnamed(file) && !isExcepted(file))).toEqual([])
  })

  it('is an exception in less than 5 % of cases, and only where it needs to be', () => {
    expect(Object.keys(exceptions).filter((file) => !isMisnamed(file))).toEqual([])
    expect(files.filter((file) => isMisnamed(file)).length).toBeLessThan(files.length * 0.05)
  })
})

describe('isNamedAfterExport', () => {
  it.each([
    ['veto-charter', ['attempts', 'vetoCharter']],
    ['hold-store', ['lockHold']],
    ['policy-requests', ['policyRequestOf']],
    ['openapi', ['parseOpenApi']],
    ['amend-or-withdraw-charter', ['amendCharter', 'withdrawCharter']],
    ['mcp-a2a-bridge', ['createMCPA2ABridge', 'createMcpA2aBridge']],
  ])('accepts %s', (base, exports) => expect(isNamedAfterExport(base, exports)).toBe(true))

  it.each([
    ['chain-keeper', ['keepChain']],
    ['hold-store', ['lockChannel']],
    ['submit-veto', ['submitCharter', 'vetoCharter']],
    ['fee-and-tax', ['feeOn']],
  ])('refuses %s', (base, exports) => expect(isNamedAfterExport(base, exports)).toBe(false))
})
