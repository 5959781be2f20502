/** The screens of this application as the gallery shows them, each in a given state. In production nothing leads here. */
import { showScreen } from '@portico/shell/gallery'
import { SCREENS } from './screens.tsx'

showScreen(SCREENS)
