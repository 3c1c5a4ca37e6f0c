/**
 * How the web's own server, which reads a request before its pages do, knows a login. The pages know logins, and are built apart
 * from the server: they hand over the question when they start.
 */
type LoginCheck = (headers: Headers) => Promise<boolean>

const holder = globalThis as typeof globalThis & { parleyLogins?: LoginCheck }

/** Called by the pages. `isSignedIn`: whether a request with these headers comes from somebody who is signed in. */
export function registerLoginCheck(isSignedIn: LoginCheck): void {
  holder.parleyLogins = isSignedIn
}

/** False as long as no page has started. */
export async function isSignedIn(headers: Headers): Promise<boolean> {
  return (await holder.parleyLogins?.(headers)) ?? false
}
