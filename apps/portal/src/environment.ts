import { type Client, client } from '@portico/client/client'
import { type StoredJwt, storedJwt } from '@portico/client/stored-jwt'
import { createContext, use } from 'react'

/** Everything outside the page that its features use; made once and handed down. */
export interface Environment {
  readonly client: Client
  readonly jwt: StoredJwt
  /** Leaves for another page and takes this one out of the history. */
  readonly replace: (to: string) => void
  readonly reload: () => void
  readonly reportError: (error: unknown) => void
}

/** The environment of a browser's window. */
export function browserEnvironment(window: Window): Environment {
  const jwt = storedJwt(window)
  return {
    client: client({ jwt }),
    jwt,
    replace: (to) => window.location.replace(to),
    reload: () => window.location.reload(),
    reportError: (error) => window.reportError(error),
  }
}

/** Hands the environment down. */
export const EnvironmentContext = createContext<Environment | undefined>(undefined)

/** The environment of the application around this component. */
export function useEnvironment(): Environment {
  const environment = use(EnvironmentContext)
  if (environment === undefined) {
    throw new Error(
      'Environment not found. Wrap the application in <EnvironmentContext value={…}>.',
    )
  }
  return environment
}
