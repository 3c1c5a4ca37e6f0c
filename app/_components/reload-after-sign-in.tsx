'use client'
import { useEffect, useRef } from 'react'
import { useMe } from './market-provider.tsx'

/** Reloads a "not found" page after a sign-in, because the reader may now read private content. */
export function ReloadAfterSignIn() {
  const did = useMe()?.did
  const first = useRef(did)
  useEffect(() => {
    // Refreshing alone would keep the boundary that says "not found".
    if (did !== first.current) window.location.reload()
  }, [did])
  return null
}
