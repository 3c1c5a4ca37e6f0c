'use client'
import './globals.css'

/** The frame itself could not be made: most likely the database or the chain is not there. */
export default function GlobalError({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <html lang="en">
      <body>
        <title>Parley is not available</title>
        <main role="alert" className="mx-auto grid max-w-xl gap-4 px-4 py-24">
          <h1 className="font-semibold text-2xl">Parley is not available</h1>
          <p className="text-muted">
            The server cannot reach its database or its chain. Money that is held stays where it is: on the chain, under its own terms. Try
            again in a moment.
          </p>
          {error.digest && <p className="figures text-faint text-sm">{error.digest}</p>}
          <button
            type="button"
            onClick={reset}
            className="min-h-11 justify-self-start rounded-md bg-accent px-4 font-medium text-on-accent"
          >
            Try again
          </button>
        </main>
      </body>
    </html>
  )
}
