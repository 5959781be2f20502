import { useEnvironment } from '../../environment.ts'

/** The size of a common phone, in a window of its own that a new code reuses. */
const WINDOW_NAME = 'demonstration-phone'
const WINDOW_FEATURES = 'popup,width=390,height=844'

/** Opens a link to the mobile wallet in a phone-sized window, which serves as the phone of a demonstration. */
export function useDemonstrationPhone(): ((link: string) => void) | undefined {
  const { production } = useEnvironment()
  if (production) return undefined
  return (link) => void window.open(link, WINDOW_NAME, WINDOW_FEATURES)
}
