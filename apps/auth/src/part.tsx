import { type ComponentType, Suspense, use } from 'react'
import { type Environment, useEnvironment } from './environment.ts'

/**
 * A part of the application that is fetched when it is first shown. `preload` fetches it on intent; if that fails,
 * nothing happens until the part is really needed.
 */
export function part<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  let loading: Promise<ComponentType<Props>> | undefined
  const begin = (loadPart: Environment['loadPart']) => {
    loading ??= loadPart(load)
    return loading
  }

  function Loaded(props: Props) {
    const { loadPart } = useEnvironment()
    const Component = use(begin(loadPart))
    return <Component {...props} />
  }

  function Part(props: Props) {
    return (
      <Suspense>
        <Loaded {...props} />
      </Suspense>
    )
  }

  return Object.assign(Part, { preload: () => void load().catch(() => undefined) })
}
