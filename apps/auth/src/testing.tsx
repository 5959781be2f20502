import { renderStatic as renderWithoutRouter } from '@portico/shell/testing'
import type { ReactNode } from 'react'
import { Router } from 'wouter'
import type { Environment } from './environment.ts'

/** Telemetry that records its calls in `events`. */
export function memoryTelemetry(): Environment['telemetry'] & {
  readonly events: readonly string[]
} {
  const events: string[] = []
  return {
    events,
    pageViewed: (path) => void events.push(path),
    registered: () => void events.push('registered'),
    problemShown: () => undefined,
    flowRefused: (violations) => void events.push(`${violations} violations`),
    trackingId: () => undefined,
  }
}

/** An in-memory token store. */
export function memoryJwt(stored?: string): Environment['jwt'] & { readonly signOut: () => void } {
  let token = stored
  const listeners = new Set<(stored: boolean) => void>()
  return {
    read: () => token,
    write: (jwt) => void (token = jwt),
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
export function renderStatic(view: ReactNode, path = '/auth/login') {
  return renderWithoutRouter(
    <Router base="/auth" ssrPath={path}>
      {view}
    </Router>,
  )
}
