/** `error`: why the receiver did not take the event, in one sentence; null if it did. `status`: null without a response. */
export type WebhookResult = { readonly status: number | null; readonly error: string | null }

/** Sends events to addresses that people name, and only to public ones. */
export type WebhookClient = {
  /** Why an address is refused before its name is resolved; null if it is not. */
  findUrlFault(url: string): string | null
  post(url: string, request: { readonly body: string; readonly headers: { readonly [name: string]: string } }): Promise<WebhookResult>
}
