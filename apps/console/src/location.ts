/** The URL is the state of every page: path, filters and position in a list. */
import { CONSOLE_PATH } from '@portico/contracts/console-page'
import type { Here } from '@portico/rules/wallet-redirects'
import { createContext, use } from 'react'
import { navigate, usePathname, useSearch } from 'wouter/use-browser-location'

/** Replaces the browser's URL in tests and the gallery. */
export const HereContext = createContext<Here | undefined>(undefined)

/** The current path and query, which change without loading another document. */
export function useHere(): Here {
  const path = usePathname()
  const query = useSearch().replace(/^\?/, '')
  return use(HereContext) ?? { path, query }
}

/** Shows another page of the console without loading another document. */
export function openPage(to: string): void {
  navigate(to)
  window.scrollTo(0, 0)
}

export const isConsolePage = (path: string): boolean =>
  path === CONSOLE_PATH || path.startsWith(`${CONSOLE_PATH}/`)

/** The value of a parameter; undefined if it is absent or empty. */
export function parameter({ query }: Here, name: string): string | undefined {
  return new URLSearchParams(query).get(name) || undefined
}

/** The current page with changed parameters; undefined removes one. A changed filter starts at the first page. */
export function addressWith(
  { path, query }: Here,
  changes: Readonly<Record<string, string | undefined>>,
): string {
  const parameters = new URLSearchParams(query)
  parameters.delete('after')
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === '') parameters.delete(name)
    else parameters.set(name, value)
  }
  const text = parameters.toString()
  return text === '' ? path : `${path}?${text}`
}
