import { spawnSync } from 'node:child_process'

/** Whether there is a Ruby whose OpenSSL has Ed25519, which is version 3.0 or later. */
export const hasRuby = (): boolean =>
  spawnSync('ruby', ['-ropenssl', '-e', 'OpenSSL::PKey.generate_key("ED25519")'], { stdio: 'ignore' }).status === 0
