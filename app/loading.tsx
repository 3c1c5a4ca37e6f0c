import { Skeleton } from './_components/ui/card.tsx'

export default function Loading() {
  return (
    <div role="status" className="grid gap-4">
      <span className="sr-only">Loading</span>
      <Skeleton className="h-9 w-2/3 max-w-md" />
      <Skeleton className="h-5 w-full max-w-xl" />
      <Skeleton className="mt-4 h-40 w-full" />
      <Skeleton className="h-40 w-full" />
    </div>
  )
}
