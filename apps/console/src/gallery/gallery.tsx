/** Entry point of the screens in the gallery, each in a fixed state. Not linked in production. */
import { showScreen } from '@portico/shell/gallery'
// Imported after the tokens, which define the layer order.
import '../console.css'
import { SCREENS } from './screens.tsx'

showScreen(SCREENS)
