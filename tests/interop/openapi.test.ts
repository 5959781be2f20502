import { openApi } from '@portico/server/openapi'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import spectral from '@stoplight/spectral-core'
import parsers from '@stoplight/spectral-parsers'
import rulesets from '@stoplight/spectral-rulesets'
import { expect, test } from 'vitest'

/** An invalid description, to detect a linter that checks nothing. */
const EMPTY = JSON.stringify({ openapi: '3.1.0', info: {}, paths: {} })

const described = JSON.stringify(openApi('1.2.3'))

test("9 the API description passes Redocly's recommended rules", async () => {
  expect(await lintByRedocly(described)).toEqual([])
  expect(await lintByRedocly(EMPTY)).not.toEqual([])
})

test("9 the API description passes Spectral's OpenAPI rules, every example matching its schema", async () => {
  expect(await lintBySpectral(described)).toEqual([])
  expect(await lintBySpectral(EMPTY)).not.toEqual([])
})

async function lintByRedocly(source: string): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'] })
  const problems = await lintFromString({ source, config })
  return problems.map((each) => `${each.ruleId} ${each.location[0]?.pointer} ${each.message}`)
}

async function lintBySpectral(source: string): Promise<string[]> {
  const linter = new spectral.Spectral()
  linter.setRuleset({ extends: [rulesets.oas] })
  const problems = await linter.run(new spectral.Document(source, parsers.Json))
  return problems.map((each) => `${each.code} ${each.path.join('/')} ${each.message}`)
}
