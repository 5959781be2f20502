import { seen as seenAlone } from '@portico/shell/testing'
import type { ReactNode } from 'react'
import { Router } from 'wouter'
import type { Environment } from './environment.ts'

/** Telemetry that keeps what it is told. */
export function memoryTelemetry(): Environment['telemetry'] & { readonly told: readonly string[] } {
  const told: string[] = []
  return {
    told,
    pageViewed: (path) => void told.push(path),
    registered: () => void told.push('registered'),
    trackingId: () => undefined,
  }
}

/** A stored token that lasts as long as the test. */
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

/** What a person sees of a view that may hold links between screens. */
export function seen(view: ReactNode, path = '/auth/login') {
  return seenAlone(
    <Router base="/auth" ssrPath={path}>
      {view}
    </Router>,
  )
}
