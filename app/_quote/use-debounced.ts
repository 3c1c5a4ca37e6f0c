'use client'
import { useEffect, useState } from 'react'

/** The pause in typing after which a text is read. */
const pauseMs = 500

/** The value after it has not changed for a moment. */
export function useDebounced<Value>(value: Value): Value {
  const [paused, setPaused] = useState(value)
  const key = JSON.stringify(value)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the value
  useEffect(() => {
    const timer = setTimeout(() => setPaused(value), pauseMs)
    return () => clearTimeout(timer)
  }, [key])
  return paused
}
