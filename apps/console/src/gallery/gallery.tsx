/** Entry point of the screens in the gallery, each in a fixed state. Not linked in production. */
import { showScreen } from '@portico/shell/gallery'
// After the tokens, which set the order of the layers.
import '../console.css'
import { SCREENS } from './screens.tsx'

showScreen(SCREENS)
