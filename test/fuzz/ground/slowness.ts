/** How much longer than its work anything takes on this machine now, because of what else it does. 1 on one that is idle. */
const everyMs = 500
const keeps = 8
const seen: { readonly took: number; readonly worked: number }[] = []

function measure(): void {
  const begun = performance.now()
  const before = process.threadCpuUsage()
  let worked = 0
  // Long enough to be put aside for others, where there are others.
  while (worked < 8) {
    const now = process.threadCpuUsage(before)
    worked = (now.user + now.system) / 1e3
  }
  seen.push({ took: performance.now() - begun, worked })
  if (seen.length > keeps) seen.shift()
}
setInterval(measure, everyMs).unref()

/** How long a request may wait for its answer: on a machine that gives this process next to nothing, ten times as long. */
export const patience = (ms: number): number => ms * Math.min(10, slowness())

/** By as much a limit in milliseconds is stretched. */
export const slowness = (): number => {
  const sum = (of: 'took' | 'worked') => seen.reduce((total, one) => total + one[of], 0)
  return seen.length === 0 ? 1 : Math.max(1, sum('took') / sum('worked'))
}
