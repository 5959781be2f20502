import { MAX_METADATA_BYTES } from '@portico/contracts/limits'
import type { SetupTest } from '@portico/contracts/sso-setup'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { EnvironmentContext } from '../environment.ts'
import { serverEnvironment } from '../server-environment.ts'
import type { SetupStep } from './setup-steps.ts'
import type { Event, State } from './sso-setup.flow.ts'
import { connectedSetup } from './sso-setup.samples.ts'
import { SsoSetupView } from './sso-setup.view.tsx'

function view(at: SetupStep, state: State, sent: Event[] = []) {
  return (
    <EnvironmentContext value={serverEnvironment}>
      <SsoSetupView
        state={state}
        send={(event) => void sent.push(event)}
        at={at}
        onStep={() => undefined}
        company="Northgale"
        now={0}
        supportPhone="8005550142"
      />
    </EnvironmentContext>
  )
}

test('why a form was refused is scrolled to, and not shown on other steps', async () => {
  await page.viewport(390, 500)
  const editing: State = { step: 'editing', setup: connectedSetup }
  const { rerender } = await render(view('connection', editing))
  page.getByRole('button', { name: 'Save and continue' }).element().scrollIntoView()
  const notice = 'We cannot send requests to this address.'
  const failed: State = { ...editing, failure: { notices: [notice], at: 'connection' } }
  await rerender(view('connection', failed))
  await expect.element(page.getByText(notice)).toBeInViewport()
  await rerender(view('provider', failed))
  expect(page.getByText(notice).elements()).toEqual([])
})

test('a file that is too large for metadata is not read', async () => {
  const setup = { ...connectedSetup, protocol: 'saml', oidc: null } as const
  const sent: Event[] = []
  await render(view('connection', { step: 'editing', setup }, sent))
  await page.getByLabelText('You have').selectOptions('A metadata file')
  const file = new File([new Uint8Array(MAX_METADATA_BYTES + 1)], 'backup.xml')
  await userEvent.upload(page.getByLabelText('Metadata file (XML)'), file)
  await expect.element(page.getByText(/^This file is too large for metadata/)).toBeVisible()
  await page.getByRole('button', { name: 'Save and continue' }).click()
  expect(sent).toEqual([])
})

test('groups that the provider left out are said to be left out, whether or not one is required', async () => {
  const person = {
    subject: 'ada',
    email: 'ada@northgale.example',
    groups: [],
    groupsOmitted: true,
    isDomainVerified: true,
  }
  const passed: SetupTest = { status: 'passed', at: 0, person, claims: [] }
  const testing = (test: SetupTest): State => ({
    step: 'editing',
    setup: { ...connectedSetup, test },
  })
  const { rerender } = await render(view('test', testing(passed)))
  const advice = page.getByText(/choose Groups assigned to the application/)
  await expect.element(advice).toBeVisible()
  await expect.element(page.getByText('Left out: too many')).toBeVisible()
  await rerender(view('test', testing({ ...passed, status: 'failed', problem: 'groups-omitted' })))
  await expect
    .element(page.getByText('The provider left out the groups of this person'))
    .toBeVisible()
  expect(advice.elements()).toHaveLength(1)
})
