import { spawn } from 'node:child_process'

/**
 * Ends the process when this one dies, for any reason: a shell waits for the end of a pipe that only this process holds. Returns the
 * function that cancels it. On Windows there is no such shell; the next test run ends left servers.
 */
export function endWithParent(pid: number, signal: 'INT' | 'TERM' | 'QUIT' | 'KILL'): () => void {
  if (process.platform === 'win32') return () => {}
  const guard = spawn('/bin/sh', ['-c', `while read -r line; do [ "$line" = off ] && exit 0; done; kill -${signal} ${pid}`], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  guard.unref()
  guard.stdin.on('error', () => {})
  if ('unref' in guard.stdin && typeof guard.stdin.unref === 'function') guard.stdin.unref()
  return () => {
    if (!guard.stdin.writable) return
    guard.stdin.write('off\n')
    guard.stdin.end()
  }
}
