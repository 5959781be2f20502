import { textOf } from '@portico/shell/testing'
import { ToastProvider } from '@portico/ui/toast'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { Router } from 'wouter'
import type { Environment, TextStorage } from './environment.ts'

/** A storage that lasts as long as the test. */
export function memoryStorage(kept: Record<string, string> = {}): TextStorage {
  const texts = new Map(Object.entries(kept))
  return {
    read: (key) => texts.get(key),
    keep: (key, text) => void texts.set(key, text),
    remove: (key) => void texts.delete(key),
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

/** The signal of a step that nobody leaves. */
export const lasting = new AbortController().signal

/** What a person sees of a view: its texts in order, without the parts that are hidden. */
export function seen(view: ReactNode, path = '/auth/login') {
  const html = renderToStaticMarkup(
    <Router base="/auth" ssrPath={path}>
      <ToastProvider>{view}</ToastProvider>
    </Router>,
  )
  return { html, text: textOf(html) }
}
