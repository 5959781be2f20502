// `node --import …/list-modules.ts`: appends the URL of each module that the process loads to the file MODULES_FILE.
import { appendFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

const file = process.env['MODULES_FILE'] ?? ''

registerHooks({
  load(url, context, nextLoad) {
    appendFileSync(file, `${url}\n`)
    return nextLoad(url, context)
  },
})
