import { refusal } from '@portico/client/testing'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { type Answers, ConsoleAt, fakeEnvironment } from '../testing.tsx'
import { OPERATORS } from './operators.samples.ts'
import { Operators } from './operators.tsx'

async function open(answers: Answers = {}) {
  const environment = fakeEnvironment({ ...OPERATORS, ...answers })
  await render(
    <ConsoleAt address="/console/operators" environment={environment}>
      <Operators />
    </ConsoleAt>,
  )
  return (name: string) =>
    environment.calls.filter((each) => each.name === name).map(({ input }) => input)
}

const dialog = page.getByRole('dialog')

test('a role is granted for an organization with a reason, and a missing factor is mentioned', async () => {
  const sent = await open({ grantRole: { changed: true, hasFactor: false } })
  await page.getByRole('button', { name: 'Grant a role' }).click()
  await dialog.getByRole('button', { name: 'Grant role' }).click()
  await expect.element(page.getByText('Please choose a role.')).toBeVisible()
  await dialog.getByLabelText('Email').fill('new@portico.example')
  await dialog.getByLabelText('Role').selectOptions('brand')
  await dialog.getByLabelText('For').selectOptions('HARBORLINE')
  await dialog.getByLabelText('Reason').fill('Joined the team.')
  await dialog.getByRole('button', { name: 'Grant role' }).click()
  await expect.element(page.getByText(/^Role granted. They still need/)).toBeVisible()
  expect(sent('grantRole')).toEqual([
    {
      email: 'new@portico.example',
      role: 'brand',
      organizationCodes: ['HARBORLINE'],
      reason: 'Joined the team.',
    },
  ])
})

test('revoking the role of the last administrator is refused, and the dialog says why', async () => {
  const sent = await open({ revokeRole: refusal('last-administrator') })
  await page
    .getByRole('button', { name: /^Revoke/ })
    .first()
    .click()
  await dialog.getByLabelText('Reason').fill('Left.')
  await dialog.getByRole('button', { name: 'Revoke role' }).click()
  await expect.element(page.getByText(/^This is the last administrator/)).toBeVisible()
  expect(sent('revokeRole')).toMatchObject([{ role: 'admin', organizationCode: '*' }])
})
