import type { TestProject } from 'vitest/node'
import { type DeployedChain, deployedChain } from './deployed-chain.ts'
import { startTestCluster, type TestCluster } from './postgres-cluster.ts'

declare module 'vitest' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: an interface is the only thing that vitest lets us add to
  export interface ProvidedContext {
    postgresAdminUrl: string
    deployedChain: DeployedChain
  }
}

// Every project of the run calls this; they share one cluster.
let shared: Promise<TestCluster> | undefined
let users = 0

export async function setup(project: TestProject): Promise<void> {
  users++
  shared ??= startTestCluster({ isInMemory: true })
  const cluster = await shared
  project.provide('postgresAdminUrl', cluster.admin)
  project.provide('deployedChain', await deployedChain())
}

export async function teardown(): Promise<void> {
  users--
  if (users > 0) return
  const cluster = await shared
  shared = undefined
  await cluster?.stop()
}
