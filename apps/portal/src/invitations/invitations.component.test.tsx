import { fakeClient, refusal } from '@portico/client/testing'
import type { AccountListItem } from '@portico/contracts/wallet'
import { ToastProvider } from '@portico/ui/toast'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { type ActingAccount, ActingAccountContext } from '../acting-account/acting-account.tsx'
import { EnvironmentContext } from '../environment.ts'
import { serverEnvironment } from '../server-environment.ts'
import { Invitations } from './invitations.tsx'

const WALLET = { name: 'Everyday', address: 'tp1everydayeveryday' }
const WILLOW = {
  account: { name: 'Willow Partners', address: 'tp1willowwillow' },
  wallet: WALLET,
  invitedAt: 0,
  declined: false,
}
const LARCH: AccountListItem = {
  account: { name: 'Larch Partners', address: 'tp1larchlarch' },
  authorizedWallets: [{ ...WALLET, type: 'FIGURE', authorizationType: 'Group', verified: true }],
}

async function show(answers: Record<string, unknown>) {
  const { client, calls } = fakeClient(answers)
  let reloads = 0
  const acting: ActingAccount = {
    accounts: { items: [LARCH], acting: undefined },
    failure: undefined,
    retry: () => undefined,
    reload: () => {
      reloads += 1
    },
    choosing: undefined,
    switches: 0,
    choose: () => undefined,
  }
  await render(
    <EnvironmentContext value={{ ...serverEnvironment, client }}>
      <ToastProvider>
        <ActingAccountContext value={acting}>
          <Invitations supportPhone="8005550142" />
        </ActingAccountContext>
      </ToastProvider>
    </EnvironmentContext>,
  )
  return { calls, reloads: () => reloads }
}

const button = (name: string) => page.getByRole('button', { name })

test('6 an invitation is accepted or declined, and then the accounts are read again', async () => {
  const { calls, reloads } = await show({
    readOrganizationInvitations: [WILLOW],
    acceptOrganization: { account: WILLOW.account },
  })
  await expect.element(page.getByText('tp1wi...illow')).toBeVisible()
  await button('Accept Willow Partners').click()
  await expect.element(page.getByText('You joined Willow Partners.')).toBeVisible()
  expect(calls).toContainEqual(
    expect.objectContaining({
      name: 'acceptOrganization',
      body: { accountAddress: WILLOW.account.address },
    }),
  )
  expect(reloads()).toBe(1)
})

test('6 every waiting invitation is reachable: more are shown page by page, and all start again after an answer', async () => {
  const real = { ...WILLOW, account: { name: 'Real one', address: 'tp1realreal' } }
  const answers: Record<string, unknown> = {
    readOrganizationInvitations: [{ ...WILLOW, next: 'waiting.1' }],
    acceptOrganization: { account: real.account },
  }
  const { calls } = await show(answers)
  await expect.element(button('Show more invitations')).toBeVisible()
  answers['readOrganizationInvitations'] = [real]
  await button('Show more invitations').click()
  await expect.element(button('Accept Willow Partners')).toBeVisible()
  await expect.element(button('Show more invitations')).not.toBeInTheDocument()
  await button('Accept Real one').click()
  await expect.element(page.getByText('You joined Real one.')).toBeVisible()
  await expect.element(button('Accept Willow Partners')).not.toBeInTheDocument()
  expect(calls.filter(({ name }) => name === 'readOrganizationInvitations')).toHaveLength(3)
})

test('6 an organization among the accounts can be hidden', async () => {
  const { calls, reloads } = await show({
    readOrganizationInvitations: [],
    declineOrganization: undefined,
  })
  await button('Hide Larch Partners').click()
  await expect.element(page.getByText('Hidden. You can show it again on this page.')).toBeVisible()
  expect(calls).toContainEqual(
    expect.objectContaining({
      name: 'declineOrganization',
      body: { accountAddress: LARCH.account.address },
    }),
  )
  expect(reloads()).toBe(1)
})

test('6 a refused acceptance says why', async () => {
  await show({
    readOrganizationInvitations: [WILLOW],
    acceptOrganization: refusal('too-many-accounts'),
  })
  await button('Accept Willow Partners').click()
  await expect.element(page.getByRole('alert')).toBeVisible()
})
