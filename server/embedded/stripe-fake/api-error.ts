/** An error answer in Stripe's format. */
export class StripeApiError extends Error {
  override readonly name = 'StripeApiError'
  readonly status: number
  readonly type: string
  readonly code: string
  constructor(status: number, type: string, code: string, message: string) {
    super(message)
    this.status = status
    this.type = type
    this.code = code
  }

  body() {
    return { error: { type: this.type, code: this.code, message: this.message } }
  }
}

export const invalidRequest = (code: string, message: string) => new StripeApiError(400, 'invalid_request_error', code, message)
export const missingObject = (what: string, id: string) =>
  new StripeApiError(404, 'invalid_request_error', 'resource_missing', `No such ${what}: '${id}'`)
