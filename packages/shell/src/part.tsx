import { type ComponentType, createContext, Suspense, use } from 'react'

/** Loads a part of an application that is fetched when it is needed (§4.11). */
export type LoadPart = <Part>(load: () => Promise<Part>) => Promise<Part>

/** Hands down how parts are loaded. */
export const LoadPartContext = createContext<LoadPart>((load) => load())

/**
 * A part of the application that is fetched when it is first shown. `preload` fetches it on intent; if that fails,
 * nothing happens until the part is really needed. What is there by then shows at once, without a moment of nothing.
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
