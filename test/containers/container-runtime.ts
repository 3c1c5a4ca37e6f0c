import { spawn, spawnSync } from 'node:child_process'
import { root } from '../../server/embedded/processes/run-script.ts'

/** The images that deploy/Dockerfile builds: its targets. */
export type Target = 'hub' | 'web'

/** A container to start. `command`: instead of the image's own. */
export type ContainerStart = {
  readonly name: string
  readonly target: Target
  readonly env: Readonly<Record<string, string>>
  readonly command?: readonly string[]
}

/** Docker or Podman, as a person calls it. */
export type ContainerRuntime = {
  /** Builds a target of deploy/Dockerfile. */
  build(target: Target): Promise<void>
  /** The size of a built image in bytes. */
  sizeOf(target: Target): number
  /** The text of a file in an image. */
  readFile(target: Target, file: string): string
  /** Starts a container: read-only, without capabilities, on the network of this machine. */
  start(container: ContainerStart): void
  /**
   * Runs a container to its end.
   * @throws with its output if it fails
   */
  run(container: ContainerStart): void
  /** Sends SIGTERM and waits. @returns the exit code */
  stop(name: string): number
  logsOf(name: string): string
  remove(name: string): void
}

type Settings = Readonly<Record<string, string | undefined>>

const words = (text: string | undefined): string[] => (text ?? '').split(' ').filter((word) => word !== '')
const imageOf = (target: Target): string => `localhost/parley-${target}:test`

/**
 * The runtime of this machine; null if there is none. `CONTAINER_RUNTIME` names one with its options, `CONTAINER_BUILD_OPTIONS` and
 * `CONTAINER_RUN_OPTIONS` add options for machines that need them.
 */
export function findContainerRuntime(settings: Settings): ContainerRuntime | null {
  const named = words(settings.CONTAINER_RUNTIME)
  const candidates = named.length > 0 ? [named] : [['docker'], ['podman']]
  const command = candidates.find(([file = '', ...options]) => spawnSync(file, [...options, 'version'], { stdio: 'ignore' }).status === 0)
  return command ? openRuntime(command, settings) : null
}

function openRuntime([file = '', ...options]: readonly string[], settings: Settings): ContainerRuntime {
  const call = (...args: string[]) => spawnSync(file, [...options, ...args], { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
  function demand(...args: string[]): string {
    const { status, stdout, stderr } = call(...args)
    if (status !== 0) throw new Error(`${file} ${args[0]} failed:\n${stdout}${stderr}`)
    return stdout
  }
  const limits = ['--network=host', '--read-only', '--tmpfs=/tmp', '--cap-drop=ALL', '--security-opt=no-new-privileges']
  const startArgs = ({ name, target, env, command = [] }: ContainerStart): string[] => [
    ...[`--name=${name}`, ...limits, ...words(settings.CONTAINER_RUN_OPTIONS)],
    ...Object.entries(env).map(([key, value]) => `--env=${key}=${value}`),
    ...[imageOf(target), ...command],
  ]
  return {
    build: (target) =>
      runVisibly(file, [
        ...[...options, 'build', '--network=host', ...words(settings.CONTAINER_BUILD_OPTIONS)],
        ...['--file=deploy/Dockerfile', `--target=${target}`, `--tag=${imageOf(target)}`, '.'],
      ]),
    sizeOf: (target) => Number(demand('image', 'inspect', '--format={{.Size}}', imageOf(target))),
    readFile: (target, path) => demand('run', '--rm', ...words(settings.CONTAINER_RUN_OPTIONS), imageOf(target), 'cat', path),
    start: (container) => void demand('run', '--detach', ...startArgs(container)),
    run: (container) => void demand('run', '--rm', ...startArgs(container)),
    stop(name) {
      demand('stop', '--time=30', name)
      return Number(demand('inspect', '--format={{.State.ExitCode}}', name))
    },
    logsOf(name) {
      const { stdout, stderr } = call('logs', name)
      return `${stdout}${stderr}`
    },
    remove: (name) => void call('rm', '--force', name),
  }
}

function runVisibly(file: string, args: readonly string[]): Promise<void> {
  return new Promise((done, fail) => {
    const child = spawn(file, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] })
    child.once('error', fail)
    child.once('exit', (code) => (code === 0 ? done() : fail(new Error(`${file} ${args.find((one) => one === 'build')} failed.`))))
  })
}
