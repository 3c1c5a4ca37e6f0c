// Loaded first into the web process: moves its clock forward by the milliseconds that the parent process sends.

let ahead = 0
const { now } = Date

process.on('message', (ms: number) => {
  if (ahead === 0) {
    Date.now = () => now() + ahead
    globalThis.Date = new Proxy(Date, {
      construct: (target, args, made) => Reflect.construct(target, args.length === 0 ? [target.now()] : args, made),
    })
  }
  ahead += ms
  process.send?.(ahead)
})
// Listening must not keep a web alive that got the signal to end.
process.channel?.unref()
