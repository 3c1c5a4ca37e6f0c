import { setTimeout } from 'node:timers/promises'
import { createTransport } from 'nodemailer'
import type { MailSender } from '../../ports.ts'

const timeoutMs = 20_000
/** For a whole mail: below the lease of an attempt. */
const deadlineMs = 45_000

/** A client of the mail server at `url`: `smtp://` with STARTTLS where the server offers it, or `smtps://`. */
export function createSmtpSender({ url, from }: { readonly url: string; readonly from: string }): MailSender {
  const transport = createTransport(
    {
      url,
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
      dnsTimeout: timeoutMs,
      // A mail contains no files of this machine, and nothing that is fetched.
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    { from },
  )
  const domain = /@([^\s>]+)>?\s*$/.exec(from)?.[1] ?? 'localhost'
  return {
    async send({ id, to, subject, text, html, unsubscribeUrl }) {
      const sent = transport.sendMail({
        ...{ subject, text, html },
        // An object, so that the address is not parsed as a list.
        to: { name: '', address: to },
        messageId: `<${id}@${domain}>`,
        headers: {
          'Auto-Submitted': 'auto-generated',
          // One-click unsubscription: RFC 8058.
          ...(unsubscribeUrl !== null && {
            'List-Unsubscribe': `<${unsubscribeUrl}>`,
            'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
          }),
        },
      })
      const deadline = new AbortController()
      const late = setTimeout(deadlineMs, undefined, { ref: false, signal: deadline.signal }).then(
        () => Promise.reject(new Error(`The mail server did not take the mail within ${deadlineMs / 1_000} s.`)),
        () => undefined,
      )
      await Promise.race([sent, late]).finally(() => deadline.abort())
    },
    close: () => transport.close(),
  }
}
