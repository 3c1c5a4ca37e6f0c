'use client'
import { useQueryClient } from '@tanstack/react-query'
import type { inferRouterOutputs } from '@trpc/server'
import type { AppRouter } from '@/server/trpc/app-router.ts'
import { useTRPC } from '../../_trpc/client.tsx'

export type NotificationSettingsData = inferRouterOutputs<AppRouter>['notifications']['getSettings']

/** Reloads the settings and the deliveries after a change. */
export function useReloadNotificationSettings(): () => Promise<void> {
  const trpc = useTRPC()
  const queries = useQueryClient()
  return async () => {
    await Promise.all([
      queries.invalidateQueries({ queryKey: trpc.notifications.getSettings.queryKey() }),
      queries.invalidateQueries({ queryKey: trpc.notifications.list.queryKey() }),
    ])
  }
}
