import { voucherTypedData } from '@parley/protocol'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { channelIdOf } from '../../../../contracts/abi/index.ts'
import { waywardTokenAbi, waywardTokenBytecode } from '../../../../contracts/abi/mocks.ts'
import { inTransaction } from '../../../../server/db.ts'
import { loadChannel } from '../../../../server/settlement/channels/channel-store.ts'
import { reconcile } from '../../../../server/settlement/index.ts'
import { getBalances, postLedgerTransfer } from '../../../../server/settlement/ledger/ledger-store.ts'
import { chainWallet, withGas } from '../chain-wallet.ts'
import { answeredCall, booksOf, type ChannelWorld, createChannelWorld, drive, openedChannel, price } from '../channel-world.ts'

let place: ChannelWorld
beforeAll(async () => {
  place = await createChannelWorld()
})
afterAll(() => place[Symbol.asyncDispose]())

/** The publisher claims directly, which leaves a credit in the contract. */
async function creditedPublisher(): Promise<Hex> {
  const id = await openedChannel(place)
  await answeredCall(place, id)
  const { config, earned } = await loadChannel(place.world.system, id)
  const publisher = await withGas(place, place.publisher.account)
  const { payer, payerAuthorizer, withdrawDelay, salt, receiver, receiverAuthorizer, token } = config
  const { amount = 0n, signature = '0x' } = earned ?? {}
  const claim = { payer, payerAuthorizer, withdrawDelay, salt, maxClaimableAmount: amount, totalClaimed: amount, signature }
  await publisher.channels('claimMany', [{ receiver, receiverAuthorizer, token }, [claim]])
  await drive(place)
  return receiver as Hex
}

/** A foreign account credits `account` with a worthless token through its own channel, and sends the credit on. */
async function creditWorthless(account: Hex): Promise<void> {
  const { chainId, channels } = place.world.world.market
  const stranger = chainWallet(place, 5)
  const token = (await stranger.deploy(waywardTokenAbi, waywardTokenBytecode)).toLowerCase() as Hex
  const amount = 10n ** 9n
  await stranger.write(token, waywardTokenAbi, 'mint', [stranger.address, amount])
  await stranger.write(token, waywardTokenAbi, 'approve', [channels, amount])
  const parties = { payer: stranger.address, payerAuthorizer: stranger.address, withdrawDelay: 86_400, salt: `0x${'11'.repeat(32)}` as Hex }
  const config = { ...parties, receiver: account, receiverAuthorizer: stranger.address, token }
  await stranger.channels('open', [config, amount])
  const domain = { chainId, channels: channels ?? '0x' }
  const words = voucherTypedData(domain, { channelId: channelIdOf(domain, config), maxClaimableAmount: amount })
  const signature = await privateKeyToAccount(place.world.chain.keys[5] ?? '0x').signTypedData(words as never)
  const payee = { receiver: account, receiverAuthorizer: stranger.address, token }
  await stranger.channels('claimMany', [payee, [{ ...parties, maxClaimableAmount: amount, totalClaimed: amount, signature }]])
  await stranger.channels('sendCredit', [token, account])
}

const creditInLedger = async (account: Hex) => (await getBalances(place.world.system, [`channel-credit:${account}`])).values().next().value

describe('an event of another token', () => {
  it('changes nothing in the ledger, and the credit of our token can still be withdrawn', async () => {
    const account = await creditedPublisher()
    expect(await creditInLedger(account)).toBe(price)
    await creditWorthless(account)
    await drive(place)
    expect(await creditInLedger(account)).toBe(price)
    expect((await booksOf(place)).faults).toEqual([])
    await chainWallet(place, 5).channels('sendCredit', [place.world.world.market.token, account])
    await drive(place)
    expect(await creditInLedger(account)).toBe(0n)
    expect(await place.balance(account)).toBe(price)
    expect((await booksOf(place)).faults).toEqual([])
  })

  it('is no event of ours for the reader of the log', async () => {
    const { rail } = place.world.system.ports
    const events = await rail.readEvents(0, (await rail.head()).number)
    const token = place.world.world.market.token.toLowerCase()
    expect(events.filter(({ args }) => args.token !== undefined && args.token !== token)).toEqual([])
    expect(events.filter(({ name }) => name === 'ChannelOpened')).toHaveLength(1)
  })
})

describe('reconcile', () => {
  it.each([
    ['credit', 'credit'],
    ['fees', 'credit'],
    ['channel-credit', 'channel-credit'],
  ] as const)('names a %s account that the contract holds another amount for', async (kind, named) => {
    const account = `0x${kind.length.toString(16).padStart(40, 'c')}` as const
    await inTransaction(place.world.system, (tx) =>
      postLedgerTransfer(tx, {
        key: `planted:${kind}`,
        goalId: null,
        memo: 'planted',
        tx: '0x',
        at: 1,
        entries: [
          { account: 'client:0x1', debit: 0n, credit: 5n },
          { account: `${kind}:${account}`, debit: 5n, credit: 0n },
        ],
      }),
    )
    expect((await reconcile(place.world.system)).heldDiffering).toContain(`${named}:${account}`)
  })
})
