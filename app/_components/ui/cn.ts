import { type ClassValue, clsx } from 'clsx'
import { twMerge } from 'tailwind-merge'

/** Joins class names. Of two conflicting ones the later wins. */
export function cn(...classes: ClassValue[]): string {
  return twMerge(clsx(classes))
}
