/** Entry point for this application's gallery screens. The gallery is not served in production. */
import { showScreen } from '@portico/shell/gallery'
import { SCREENS } from './screens.tsx'

showScreen(SCREENS)
