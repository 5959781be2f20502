import { type Context, createContext, use } from 'react'

/** Where an application's environment is handed down, and the hook that takes it; each application makes one of its own. */
export function environmentContext<Environment>(): {
  readonly EnvironmentContext: Context<Environment | undefined>
  readonly useEnvironment: () => Environment
} {
  const EnvironmentContext = createContext<Environment | undefined>(undefined)
  function useEnvironment(): Environment {
    const environment = use(EnvironmentContext)
    if (environment === undefined) {
      throw new Error(
        'Environment not found. Wrap the application in <EnvironmentContext value={…}>.',
      )
    }
    return environment
  }
  return { EnvironmentContext, useEnvironment }
}
