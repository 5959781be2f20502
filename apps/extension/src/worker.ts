import * as z from 'zod/mini'
import { startBackground } from './background/background.ts'
import { api } from './browser-api.ts'

// Zod's compiled schemas need eval, which the extension's Content-Security-Policy forbids.
z.config({ jitless: true })

startBackground(api, (error) => reportError(error))
