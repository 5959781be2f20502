import { seen as seenAlone } from '@portico/shell/testing'
import type { ReactNode } from 'react'
import { Router } from 'wouter'
import type { Environment } from './environment.ts'

/** Telemetry that records its calls in `told`. */
export function memoryTelemetry(): Environment['telemetry'] & { readonly told: readonly string[] } {
  const told: string[] = []
  return {
    told,
    pageViewed: (path) => void told.push(path),
    registered: () => void told.push('registered'),
    trackingId: () => undefined,
  }
}

/** An in-memory token store. */
export function memoryJwt(stored?: string): Environment['jwt'] & { readonly signOut: () => void } {
  let token = stored
  const listeners = new Set<(stored: boolean) => void>()
  return {
    read: () => token,
    keep: (jwt) => void (token = jwt),
    remove: () => void (token = undefined),
    watch(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    signOut: () => {
      for (const listener of listeners) listener(false)
    },
  }
}

/** Renders a view that may contain route links. */
export function seen(view: ReactNode, path = '/auth/login') {
  return seenAlone(
    <Router base="/auth" ssrPath={path}>
      {view}
    </Router>,
  )
}
