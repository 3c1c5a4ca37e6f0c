/** An error answer in Stripe's format. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
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

export const invalid = (code: string, message: string) => new Refusal(400, 'invalid_request_error', code, message)
export const missing = (what: string, id: string) =>
  new Refusal(404, 'invalid_request_error', 'resource_missing', `No such ${what}: '${id}'`)
