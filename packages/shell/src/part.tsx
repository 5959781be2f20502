import { type ComponentType, createContext, Suspense, use } from 'react'

/** Loads a lazy part of the application (§4.11). */
export type LoadPart = <Part>(load: () => Promise<Part>) => Promise<Part>

/** Provides the loader of lazy parts. */
export const LoadPartContext = createContext<LoadPart>((load) => load())

/**
 * A component loaded on first render. `preload` loads it earlier, on user intent; if that fails, nothing happens until the
 * component is rendered. A component that is already loaded renders at once, without suspending.
 */
export function part<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  let loading: Promise<ComponentType<Props>> | undefined
  let loaded: ComponentType<Props> | undefined
  const loadAndKeep = async () => {
    loaded = await load()
    return loaded
  }
  const begin = (loadPart: LoadPart) => {
    loading ??= loadPart(loadAndKeep)
    return loading
  }

  function Loaded(props: Props) {
    const loadPart = use(LoadPartContext)
    const Component = loaded ?? use(begin(loadPart))
    // oxlint-disable-next-line react/static-components -- the component is loaded once, not created during a render
    return <Component {...props} />
  }

  function Part(props: Props) {
    return (
      <Suspense>
        <Loaded {...props} />
      </Suspense>
    )
  }

  return Object.assign(Part, { preload: () => void loadAndKeep().catch(() => undefined) })
}
