import { type Context, createContext, use } from 'react'

/** Creates an application's environment context and the hook that reads it. */
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
