'use client'
import { type ReactNode, useEffect, useRef, useState } from 'react'

/** Before it is on the screen, so that a reader who scrolls does not wait. */
const margin = '400px'

/** Renders its children once they are about to be on the screen. `className` reserves their space until then. */
export function WhenVisible({ className, children }: { className: string; children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null)
  const [isVisible, setVisible] = useState(false)
  useEffect(() => {
    if (!place.current) return
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && setVisible(true), { rootMargin: margin })
    observer.observe(place.current)
    return () => observer.disconnect()
  }, [])
  return isVisible ? children : <div ref={place} className={className} />
}
