/** The model gave no usable answer. The message completes a sentence that begins with “The model gave no usable answer:”. */
export class UnusableAnswerError extends Error {
  override readonly name = 'UnusableAnswerError'
}
