/**
 * The web's own server reads a request before the pages do, and only the pages know logins. They are built apart from the server, so they
 * register this check when they start.
 */
type LoginCheck = (headers: Headers) => Promise<boolean>

const holder = globalThis as typeof globalThis & { parleyLogins?: LoginCheck }

/** Called by the pages. `isSignedIn`: whether a request with these headers has a valid login. */
export function registerLoginCheck(isSignedIn: LoginCheck): void {
  holder.parleyLogins = isSignedIn
}

/** False until the pages have started. */
export async function isSignedIn(headers: Headers): Promise<boolean> {
  return (await holder.parleyLogins?.(headers)) ?? false
}
