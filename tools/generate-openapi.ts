// Generates docs/openapi.json from the declared calls.
import { parseConfig } from '@portico/server/config'
import { openApi } from '@portico/server/openapi'
import { writeOrCheck } from './generate/write-or-check.ts'

const description = openApi(parseConfig({}).version)
writeOrCheck('docs/openapi.json', `${JSON.stringify(description, null, 2)}\n`)
