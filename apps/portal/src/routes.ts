import { DEFAULT_REDIRECT } from '@portico/contracts/limits'

export const SECURITY_PATH = `${DEFAULT_REDIRECT}/security`

/** Pages by path; all of them require a session. */
const PAGES: Readonly<Record<string, { readonly title: string }>> = {
  [DEFAULT_REDIRECT]: { title: 'Dashboard' },
  [SECURITY_PATH]: { title: 'Security' },
}

const TRANSACTION = new RegExp(`^${DEFAULT_REDIRECT}/transactions/([0-9a-fA-F]{64})$`)

/** The page of a transaction. */
export const transactionPath = (hash: string) => `${DEFAULT_REDIRECT}/transactions/${hash}`

/** The hash of a transaction's page; undefined for other paths. */
export function transactionOf(path: string): string | undefined {
  return TRANSACTION.exec(path)?.[1]?.toUpperCase()
}

/** A page's title, or undefined for unknown paths. */
export function titleOf(path: string): string | undefined {
  if (transactionOf(path) !== undefined) return 'Transaction'
  return Object.hasOwn(PAGES, path) ? PAGES[path]?.title : undefined
}
