/** Entry point of the screens in the gallery, each in a fixed state. Not linked in production. */
import { showScreen } from '@portico/shell/gallery'
import { SCREENS } from './screens.tsx'

showScreen(SCREENS)
