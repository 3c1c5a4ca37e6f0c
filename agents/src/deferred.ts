/** A promise with the functions that settle it: `Promise.withResolvers`, which Node 20 lacks. */
export type Deferred<T> = {
  readonly promise: Promise<T>
  readonly resolve: (value: T | PromiseLike<T>) => void
  readonly reject: (reason: unknown) => void
}

/** A pending promise, to be settled by who holds it. */
export function createDeferred<T>(): Deferred<T> {
  let settle: Omit<Deferred<T>, 'promise'> | undefined
  const promise = new Promise<T>((resolve, reject) => {
    settle = { resolve, reject }
  })
  // The constructor of a promise calls its function before it returns.
  return { promise, ...(settle as unknown as Omit<Deferred<T>, 'promise'>) }
}
