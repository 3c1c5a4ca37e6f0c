'use client'
import { useEffect, useRef } from 'react'
import { useMe } from './market.tsx'

/** On a page that shows nothing: looks again when the reader becomes another, since what is private is there for them. */
export function LookAgain() {
  const did = useMe()?.did
  const first = useRef(did)
  useEffect(() => {
    // Refreshing alone would keep the boundary that says "not found".
    if (did !== first.current) window.location.reload()
  }, [did])
  return null
}
