/**
 * constructor
 * ├── the token is not on the escrow's list → TokenNotAllowed
 * └── it is → jobs are paid in it
 */
import { decodeErrorResult, encodeDeployData } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { jobEscrow8183Abi, jobEscrow8183Bytecode, planEscrowAbi } from '../../../contracts/abi/index.ts'
import { codeUnderTest } from '../mutants/under-test.ts'
import { createJobs, type Jobs, stranger } from './jobs.ts'

let jobs: Jobs
beforeAll(async () => {
  jobs = await createJobs()
})
afterAll(() => jobs[Symbol.asyncDispose]())

describe('constructor', () => {
  it('reverts for a token that is not on the escrow’s list', async () => {
    const bytecode = codeUnderTest(jobEscrow8183Bytecode)
    const data = encodeDeployData({ abi: jobEscrow8183Abi, bytecode, args: [jobs.world.escrow, stranger.address] })
    // Deploying does not decode what it reverts with, so the call is only simulated.
    const failure = await jobs.world.connection.provider
      .request({ method: 'eth_call', params: [{ data }] })
      .catch((error: unknown) => error)
    const { errorName, args } = decodeErrorResult({ abi: planEscrowAbi, data: (failure as { data: `0x${string}` }).data })
    expect([errorName, ...(args ?? [])]).toEqual(['TokenNotAllowed', stranger.address])
  })

  it('says what jobs are paid in', async () => {
    const { address, world } = jobs
    expect(await world.reader.readContract({ address, abi: jobEscrow8183Abi, functionName: 'paymentToken' })).toBe(world.token)
  })
})
