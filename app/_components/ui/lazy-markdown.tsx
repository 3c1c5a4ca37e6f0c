'use client'
import dynamic from 'next/dynamic'

/** Markdown for pages that live in the browser: the parser is large, and is loaded with the first text that needs it. */
export const LazyMarkdown = dynamic(() => import('./markdown.tsx').then((module) => module.Markdown))
