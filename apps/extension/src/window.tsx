import '@portico/ui/tokens.css'
import '@portico/ui/base.css'
import * as z from 'zod/mini'
import { api } from './browser-api.ts'
import { drawWindow, IN_TAB } from './window/window.tsx'

// Zod's compiled schemas need eval, which the extension's Content-Security-Policy forbids.
z.config({ jitless: true })

const root = document.getElementById('root')
if (root === null) throw new Error('The document has no #root element')

const isPopup = document.body.classList.contains('popup')
// In Firefox, a window that opens during an update may have no extension. The new version opens its own.
if ((api as typeof api | undefined) === undefined) window.close()
else drawWindow(root, isPopup ? (location.hash === IN_TAB ? 'tab' : 'popup') : 'approval', api)
