/** A mail of the server. `id`: the same in each attempt, so that a mail program can show a repeated mail once. */
export type Mail = {
  readonly id: string
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** Null for a mail that its reader requested. */
  readonly unsubscribeUrl: string | null
}

export type MailSender = {
  /** @throws {Error} if the mail server did not take the mail */
  send(mail: Mail): Promise<void>
  close(): void
}
