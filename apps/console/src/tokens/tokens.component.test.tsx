import { PERSON_PERMISSIONS } from '@portico/contracts/admin/permissions'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { type Answers, ConsoleAt, fakeEnvironment } from '../testing.tsx'
import { TOKEN, TOKENS } from './tokens.samples.ts'
import { Tokens } from './tokens.tsx'

async function open(answers: Answers = {}) {
  const environment = fakeEnvironment({ ...TOKENS, ...answers })
  await render(
    <ConsoleAt address="/console/tokens" environment={environment}>
      <Tokens />
    </ConsoleAt>,
  )
  return (name: string) =>
    environment.calls.filter((each) => each.name === name).map(({ input }) => input)
}

const dialog = page.getByRole('dialog')

test('a token is created with what it may do, shown once, and gone when the operator has it', async () => {
  const sent = await open({
    createServiceToken: { tokenUuid: TOKEN.tokenUuid, token: 'ptk_secret', expiresAt: 0 },
  })
  await page.getByRole('button', { name: 'Create a token' }).click()
  await dialog.getByRole('button', { name: 'Create', exact: true }).click()
  await expect.element(page.getByText('Please choose at least one permission.')).toBeVisible()
  for (const permission of PERSON_PERMISSIONS) {
    expect(dialog.getByLabelText(permission).elements()).toEqual([])
  }
  await dialog.getByLabelText('Name').fill('crm-sync')
  await dialog.getByLabelText('For').selectOptions('*')
  await dialog.getByLabelText('people.read').click()
  await dialog.getByLabelText('Reason').fill('Compares customers.')
  await dialog.getByRole('button', { name: 'Create', exact: true }).click()
  await expect.element(page.getByText('ptk_secret')).toBeVisible()
  expect(sent('createServiceToken')).toEqual([
    {
      name: 'crm-sync',
      permissions: ['people.read'],
      organizationCodes: ['*'],
      days: 90,
      reason: 'Compares customers.',
    },
  ])
  await page.getByRole('button', { name: 'Done' }).click()
  await expect.element(page.getByText('ptk_secret')).not.toBeInTheDocument()
})

test('only a valid token can be revoked', async () => {
  const sent = await open({ revokeServiceToken: { changed: true } })
  await expect.element(page.getByText('Revoked')).toBeVisible()
  await page.getByRole('button', { name: /^Revoke/ }).click()
  await dialog.getByLabelText('Reason').fill('Replaced.')
  await dialog.getByRole('button', { name: 'Revoke' }).click()
  await expect
    .poll(() => sent('revokeServiceToken'))
    .toEqual([{ tokenUuid: TOKEN.tokenUuid, reason: 'Replaced.' }])
})
