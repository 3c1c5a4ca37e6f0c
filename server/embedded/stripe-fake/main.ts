// The Stripe fake as a process, for installations without a Stripe key. Stops in order on SIGTERM and SIGINT.
import { startStripeFake } from './start-stripe-fake.ts'

const [file = null, port = '0', webhookUrl = null] = process.argv.slice(2)
const webhookSecret = process.env.STRIPE_WEBHOOK_SECRET ?? ''
const stripeFake = await startStripeFake({ file, port: Number(port), webhookSecret, webhookUrl })
console.log(`The fake Stripe answers at ${stripeFake.url}`)

async function end(): Promise<void> {
  await stripeFake.close()
  process.exit(0)
}
process.on('SIGTERM', () => void end())
process.on('SIGINT', () => void end())
