import { type NextRequest, NextResponse } from 'next/server'

/**
 * Runs before every page and route: refuses cross-site state-changing requests (CSRF), and sets the page's content
 * security policy (CSP) with a new nonce.
 */
export function proxy(request: NextRequest): NextResponse {
  if (isForeignWrite(request)) return refusal()
  const nonce = btoa(crypto.randomUUID())
  const policy = contentPolicy(nonce, process.env.NODE_ENV === 'development')
  const headers = new Headers(request.headers)
  headers.set('x-nonce', nonce)
  // Next reads the nonce for its own scripts from this header of the request.
  headers.set('content-security-policy', policy)
  const response = NextResponse.next({ request: { headers } })
  response.headers.set('content-security-policy', policy)
  return response
}

export const config = {
  // Build files contain no inline script and need no nonce. Artifacts have a stricter policy, and the documentation one of its own.
  matcher: ['/((?!_next/static|_next/image|icon.svg|api/artifacts/|docs(?:/|$)).*)'],
}

function isForeignWrite(request: NextRequest): boolean {
  if (['GET', 'HEAD', 'OPTIONS'].includes(request.method)) return false
  const site = request.headers.get('sec-fetch-site')
  if (site !== null && site !== 'same-origin' && site !== 'none') return true
  const origin = request.headers.get('origin')
  // Browsers send Origin with every write. A client without it is no browser, so CSRF does not apply to it.
  if (origin === null) return false
  const host = request.headers.get('x-forwarded-host') ?? request.headers.get('host')
  return !URL.canParse(origin) || new URL(origin).host !== host
}

function refusal(): NextResponse {
  const body = {
    type: '/problems/auth.origin_refused',
    title: 'auth: origin refused',
    status: 403,
    detail: 'This request came from another site. Nothing was changed.',
    code: 'auth.origin_refused',
    retry: 'never',
  }
  return NextResponse.json(body, { status: 403, headers: { 'content-type': 'application/problem+json' } })
}

function contentPolicy(nonce: string, isDevelopment: boolean): string {
  return [
    "default-src 'self'",
    // The bundler of the development server evaluates its modules.
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${isDevelopment ? " 'unsafe-eval'" : ''}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}
