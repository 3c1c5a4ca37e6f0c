/** Commands about calls and channels: a test task of a publisher, a call that an agent pays for, a channel that closes. */
import { worldFile } from '../ground/world-texts.ts'
import type { Tree } from '../inputs/json-text.ts'
import { waitingCall } from '../operations/money-recipes.ts'
import type { Recipe } from '../operations/operations.ts'
import { askIn, topUpIn, waitingIn } from './channels.ts'
import { atBoth, only, refusedTo, type VariantDefinition } from './define.ts'
import { kindsOf, waitingTest } from './further-scene-objects.ts'

const aboutTest =
  (more: () => Tree = () => ({})): Recipe =>
  async (place) => ({ call_id: await waitingTest(place), ...more() })
const aboutAgents =
  (more: () => Tree = () => ({})): Recipe =>
  async (place) => ({ call_id: await waitingIn(place, await kindsOf(place).agentChannel), ...more() })
const answer = () => ({ artifacts: [worldFile('The answer.')], text: 'Here it is.' })
const excuse = () => ({ reason: 'There is no time.' })

const calls: readonly VariantDefinition[] = [
  { kind: 'skill test', of: ['command:call.get'], entitled: only('helper', 'publisher', 'operator'), base: aboutTest() },
  {
    kind: 'asked by an agent',
    of: ['command:call.get'],
    entitled: only('outsider', 'stranger', 'helper', 'publisher', 'operator'),
    base: aboutAgents(),
  },
  {
    kind: 'paid call',
    of: ['command:call.get'],
    entitled: only('client', 'helper', 'publisher', 'operator'),
    base: async (place) => ({ call_id: await waitingCall(place) }),
  },
  { kind: 'skill test', of: ['command:call.answer'], entitled: only('helper'), base: aboutTest(answer) },
  { kind: 'asked by an agent', of: ['command:call.answer'], entitled: only('helper'), base: aboutAgents(answer) },
  { kind: 'skill test', of: ['command:call.decline'], entitled: only('helper'), base: aboutTest(excuse) },
  { kind: 'asked by an agent', of: ['command:call.decline'], entitled: only('helper'), base: aboutAgents(excuse) },
]

const channels: readonly VariantDefinition[] = [
  {
    kind: 'channel of an agent',
    of: ['command:call.request'],
    entitled: only('outsider', 'stranger'),
    base: async (place) => askIn(place, await kindsOf(place).agentChannel),
  },
  {
    kind: 'ending channel',
    of: atBoth('call.request', 'channels.ask'),
    entitled: refusedTo('client'),
    base: async (place) => askIn(place, await kindsOf(place).closing),
  },
  {
    kind: 'channel of an agent',
    of: atBoth('channel.top_up', 'channels.topUp'),
    entitled: only('stranger'),
    base: async (place) => topUpIn(place, await kindsOf(place).agentChannel, 'stranger'),
  },
  {
    kind: 'ending channel',
    of: atBoth('channel.top_up', 'channels.topUp'),
    entitled: refusedTo('client'),
    base: async (place) => topUpIn(place, await kindsOf(place).closing, 'client'),
  },
  {
    kind: 'channel of an agent',
    of: ['command:channel.close'],
    entitled: only('outsider', 'stranger'),
    base: async (place) => ({ channel_id: (await kindsOf(place).closable).id }),
  },
]

export const callVariants: readonly VariantDefinition[] = [...calls, ...channels]
