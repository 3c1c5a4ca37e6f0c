/**
 * A small device: QuickJS with a bound on its memory. Its firmware gives the program WebSocket, fetch, timers, random numbers, a storage
 * and a console, and nothing else. The firmware's own JavaScript counts as memory of the program.
 */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { EvalFlags, type JSValueHandle, QuickJS } from 'quickjs-wasi'
import { WebSocket } from 'ws'

/** `code`: one module. `memoryBytes`: the bound of the engine's heap. `storage`: survives a restart. */
export type DeviceOptions = {
  readonly code: string
  readonly memoryBytes: number
  readonly storage: Map<string, string>
}

export type DeviceEngine = AsyncDisposable & {
  /** Resolves with the first line that matches. @throws what ended the program */
  printed(pattern: RegExp): Promise<string>
  /** The frames that the program has sent, in order, over all of its connections. */
  readonly sent: readonly {
    readonly type: string
    readonly id?: number
    readonly command?: { readonly type: string; readonly [field: string]: unknown }
  }[]
  /** How often the program has opened a connection. */
  readonly connections: () => number
  /** Ends the connection without a farewell, as a lost radio link does. Refuses others until the function that it returns is called. */
  cutOff(): () => void
  /** Ends the connection after the next command of this type, before its answer. */
  cutOffAfter(command: string): void
  /** The most memory that the engine has had, in bytes: heap, stack and static data. The memory of WebAssembly grows and never shrinks. */
  peakMemory(): number
}

/** The JavaScript of the firmware. `host` calls the machine, and `dispatch` is what the machine calls. */
const firmware = `
globalThis.globals = (host) => {
  const timers = new Map(), sockets = new Map(), requests = new Map()
  let last = 0
  globalThis.setTimeout = (run, ms = 0) => { timers.set(++last, run); host.startTimer(last, ms); return last }
  globalThis.clearTimeout = (id) => { if (timers.delete(id)) host.stopTimer(id) }
  globalThis.console = { log: (text) => host.print(String(text)), error: (error) => host.print('error: ' + error) }
  globalThis.crypto = { getRandomValues: (bytes) => { bytes.set(new Uint8Array(host.random(bytes.length))); return bytes } }
  globalThis.localStorage = { getItem: host.getItem, setItem: host.setItem, removeItem: host.removeItem }
  globalThis.fetch = (url, { method, headers, body }) => new Promise((resolve, reject) => {
    requests.set(++last, { resolve, reject })
    host.fetch(last, url, method, JSON.stringify(headers), body)
  })
  globalThis.WebSocket = class WebSocket {
    CONNECTING = 0; OPEN = 1; CLOSING = 2; CLOSED = 3; readyState = 0
    constructor(url) { this.listeners = {}; sockets.set(this.id = ++last, this); host.openSocket(this.id, url) }
    addEventListener(name, listener) { (this.listeners[name] ??= []).push(listener) }
    send(text) { host.sendText(this.id, text) }
    close() { this.readyState = 2; host.closeSocket(this.id) }
    emit(name, event) { for (const listener of this.listeners[name] ?? []) listener(event) }
  }
  return (kind, id, text, number) => {
    if (kind === 'timer') { const run = timers.get(id); timers.delete(id); run?.() }
    if (kind === 'open') { const socket = sockets.get(id); socket.readyState = 1; socket.emit('open', {}) }
    if (kind === 'message') sockets.get(id)?.emit('message', { data: text })
    if (kind === 'close') { const socket = sockets.get(id); sockets.delete(id); socket.readyState = 3; socket.emit('close', { code: number, reason: text }) }
    if (kind === 'answer') requests.get(id).resolve({ status: number, ok: number < 300, text: async () => text })
    if (kind === 'failure') requests.get(id).reject(new TypeError(text))
    if (kind === 'answer' || kind === 'failure') requests.delete(id)
  }
}`

type State = {
  readonly vm: QuickJS
  readonly storage: Map<string, string>
  readonly sockets: Map<number, WebSocket>
  readonly timers: Map<number, ReturnType<typeof setTimeout>>
  readonly sent: DeviceEngine['sent'][number][]
  readonly lines: string[]
  readonly looks: Set<() => void>
  readonly requests: Set<number>
  dispatch: JSValueHandle | undefined
  /** The promise of the program's module. */
  program: JSValueHandle | undefined
  /** Why a promise was rejected last, if no one handles it. */
  rejection: string
  isCutOff: boolean
  lastCommand: string | undefined
  connections: number
  failure: Error | undefined
}

/** Starts the program. @throws {Error} if it ends at once, for example for lack of memory */
export async function startDevice({ code, memoryBytes, storage }: DeviceOptions): Promise<DeviceEngine> {
  const wasm = await readFile(fileURLToPath(import.meta.resolve('quickjs-wasi/quickjs.wasm')))
  let linear: WebAssembly.Memory | undefined
  const wasi = (memory: WebAssembly.Memory) => {
    linear = memory
    return {}
  }
  const onUnhandledRejection = (_promise: JSValueHandle, reason: JSValueHandle, isHandled: boolean) => {
    if (!isHandled) state.rejection = reason.toString()
  }
  const vm = await QuickJS.create({ wasm, memoryLimit: memoryBytes, maxStackSize: 256 * 1_024, wasi, onUnhandledRejection })
  const state: State = {
    ...{ vm, storage, sockets: new Map(), timers: new Map(), requests: new Set(), sent: [], lines: [], looks: new Set() },
    ...{
      dispatch: undefined,
      program: undefined,
      rejection: '',
      isCutOff: false,
      lastCommand: undefined,
      connections: 0,
      failure: undefined,
    },
  }
  enter(state, () => {
    vm.evalCode(firmware, 'firmware.js').dispose()
    state.dispatch = vm.callFunction(vm.evalCode('globals'), vm.undefined, hostOf(state))
    state.program = vm.evalCode(code, 'program.js', EvalFlags.TYPE_MODULE)
  })
  return {
    sent: state.sent,
    connections: () => state.connections,
    printed: (pattern) => printed(state, pattern),
    cutOff() {
      state.isCutOff = true
      for (const socket of state.sockets.values()) socket.terminate()
      return () => {
        state.isCutOff = false
      }
    },
    cutOffAfter(command) {
      state.lastCommand = command
    },
    peakMemory: () => linear?.buffer.byteLength ?? 0,
    async [Symbol.asyncDispose]() {
      fail(state, new Error('The device is off.'))
    },
  }
}

function printed(state: State, pattern: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    const look = () => {
      const line = state.lines.find((one) => pattern.test(one))
      if (line !== undefined) resolve(line)
      else if (state.failure) reject(state.failure)
    }
    state.looks.add(look)
    look()
  })
}

function look({ looks }: State): void {
  for (const one of looks) one()
}

/** Ends the program: nothing reaches it any more. */
function fail(state: State, error: Error): void {
  state.failure ??= error
  for (const socket of state.sockets.values()) socket.terminate()
  for (const timer of state.timers.values()) clearTimeout(timer)
  look(state)
}

/** As the engine numbers them. */
const promiseStates = { pending: 0, rejected: 2 }

/** An async function that runs out of memory never settles, because the program must not catch this. Then nothing would ever follow. */
function isStalled({ program, sockets, timers, requests }: State): boolean {
  return program?.promiseState === promiseStates.pending && sockets.size + timers.size + requests.size === 0
}

/** Runs code of the device, with all that it has queued. */
function enter(state: State, run: () => void): void {
  if (state.failure) return
  try {
    run()
    state.vm.executePendingJobs()
    if (state.program?.promiseState === promiseStates.rejected) fail(state, new Error(state.rejection))
    else if (isStalled(state)) fail(state, new Error('The program waits for nothing. Its memory may be too small.'))
  } catch (error) {
    fail(state, error instanceof Error ? new Error(`${error.name}: ${error.message}`) : new Error(String(error)))
  }
}

function call(state: State, kind: string, id: number, { text = '', number = 0 }: { text?: string; number?: number } = {}): void {
  enter(state, () => {
    const { vm, dispatch } = state
    if (!dispatch) return
    const values = [vm.newString(kind), vm.newNumber(id), vm.newString(text), vm.newNumber(number)]
    vm.callFunction(dispatch, vm.undefined, ...values).dispose()
    for (const value of values) value.dispose()
  })
}

type Host = { readonly [name: string]: (...values: JSValueHandle[]) => JSValueHandle | undefined }

/** The functions that the firmware calls. */
function hostOf(state: State): JSValueHandle {
  const { vm, storage, timers } = state
  const host: Host = {
    print: (text) => void state.lines.push(text?.toString() ?? ''),
    random: (length) => vm.newArrayBuffer(crypto.getRandomValues(new Uint8Array(length?.toNumber() ?? 0))),
    getItem: (key) => {
      const value = storage.get(key?.toString() ?? '')
      return value === undefined ? vm.null : vm.newString(value)
    },
    setItem: (key, value) => void storage.set(key?.toString() ?? '', value?.toString() ?? ''),
    removeItem: (key) => void storage.delete(key?.toString() ?? ''),
    startTimer: (id, ms) => {
      const number = id?.toNumber() ?? 0
      timers.set(
        number,
        setTimeout(() => timers.delete(number) && call(state, 'timer', number), ms?.toNumber()),
      )
      return undefined
    },
    stopTimer: (id) => {
      clearTimeout(timers.get(id?.toNumber() ?? 0))
      return undefined
    },
    ...networkOf(state),
  }
  const object = vm.newObject()
  for (const [name, run] of Object.entries(host))
    object.setProp(
      name,
      vm.newFunction(name, (...values) => {
        const given = run(...values)
        if (name === 'print') look(state)
        return given ?? vm.undefined
      }),
    )
  return object
}

function networkOf(state: State): Host {
  const { sockets } = state
  const socketOf = (id: JSValueHandle | undefined) => sockets.get(id?.toNumber() ?? 0)
  return {
    openSocket: (id, url) => void openSocket(state, id?.toNumber() ?? 0, url?.toString() ?? ''),
    sendText: (id, value) => {
      const text = value?.toString() ?? ''
      const socket = socketOf(id)
      const frame = JSON.parse(text) as DeviceEngine['sent'][number]
      state.sent.push(frame)
      const isLast = frame.command !== undefined && frame.command.type === state.lastCommand
      if (isLast) state.lastCommand = undefined
      socket?.send(text, () => isLast && socket.terminate())
      return undefined
    },
    closeSocket: (id) => void socketOf(id)?.close(),
    fetch: (id, url, method, headers, body) => {
      const number = id?.toNumber() ?? 0
      state.requests.add(number)
      const request = { method: String(method), headers: JSON.parse(String(headers)) as Record<string, string>, body: String(body) }
      void fetch(String(url), request)
        .then(async (response) => ({ kind: 'answer', text: await response.text(), status: response.status }))
        .catch((error: unknown) => ({ kind: 'failure', text: String(error), status: 0 }))
        .then(({ kind, text, status }) => {
          state.requests.delete(number)
          call(state, kind, number, { text, number: status })
        })
      return undefined
    },
  }
}

function openSocket(state: State, id: number, url: string): void {
  const socket = new WebSocket(url)
  state.connections++
  state.sockets.set(id, socket)
  socket.on('error', () => {})
  socket.on('open', () => (state.isCutOff ? socket.terminate() : call(state, 'open', id)))
  socket.on('message', (data) => call(state, 'message', id, { text: String(data) }))
  socket.on('close', (code, reason) => {
    state.sockets.delete(id)
    call(state, 'close', id, { text: String(reason), number: code })
  })
}
