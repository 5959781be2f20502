import { type ComponentType, createContext, Suspense, use } from 'react'

/** Loads a module on demand (§4.11). */
export type LoadModule = <Module>(load: () => Promise<Module>) => Promise<Module>

/** Provides the loader of modules. */
export const LoadModuleContext = createContext<LoadModule>((load) => load())

/**
 * A component loaded on first render. `preload` loads it earlier, on user intent; if that fails, nothing happens until the
 * component is rendered. A loaded component renders without suspending.
 */
export function lazyComponent<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  let loading: Promise<ComponentType<Props>> | undefined
  let loaded: ComponentType<Props> | undefined
  const loadComponent = async () => {
    loaded = await load()
    return loaded
  }
  const begin = (loadModule: LoadModule) => {
    loading ??= loadModule(loadComponent)
    return loading
  }

  function Loaded(props: Props) {
    const loadModule = use(LoadModuleContext)
    const Component = loaded ?? use(begin(loadModule))
    // oxlint-disable-next-line react/static-components -- the component is loaded once, not created during a render
    return <Component {...props} />
  }

  function LazyComponent(props: Props) {
    return (
      <Suspense>
        <Loaded {...props} />
      </Suspense>
    )
  }

  return Object.assign(LazyComponent, {
    preload: () => void loadComponent().catch(() => undefined),
  })
}
