import { refusal } from '@portico/client/testing'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { EnvironmentContext, type GatekeeperResult } from '../environment.ts'
import { serverEnvironment } from '../server-environment.ts'
import { memoryJwt } from '../testing.tsx'
import { Gatekeeper } from './gatekeeper.tsx'

const HERE = '/auth/gatekeeper?intent=kyc&redirectUrl=/loans'
const LOGIN = `/auth/login?redirectUrl=${encodeURIComponent(HERE)}`

async function open(token: string | undefined, answer: GatekeeperResult | Error) {
  const jwt = memoryJwt(token)
  const visited: string[] = []
  const environment = {
    ...serverEnvironment,
    jwt,
    location: () => new URL(HERE, 'https://lender.example'),
    navigate: (to: string) => void visited.push(to),
    gatekeeper: async () => {
      if (!(answer instanceof Error)) return answer
      // As the client does after a 401.
      if (answer === ENDED) jwt.remove()
      throw answer
    },
  }
  await render(
    <EnvironmentContext value={environment}>
      <Gatekeeper supportPhone="8005550142" />
    </EnvironmentContext>,
  )
  return visited
}

const ENDED = refusal('session-ended')

test.each([
  ['without a token', undefined, ENDED, LOGIN],
  ['with the token of a session that has ended', 'Bearer jwt', ENDED, LOGIN],
  ['with a session', 'Bearer jwt', { path: '/universal-passport' }, '/universal-passport'],
])('2.2 a flow request requires a signed-in identity: %s', async (_, token, answer, to) => {
  const visited = await open(token, answer)
  await expect.poll(() => visited).toEqual([to])
})

test('a call that fails can be tried again', async () => {
  const visited = await open('Bearer jwt', refusal('server-fault'))
  await expect.element(page.getByRole('button', { name: 'Try again' })).toBeVisible()
  expect(visited).toEqual([])
})
