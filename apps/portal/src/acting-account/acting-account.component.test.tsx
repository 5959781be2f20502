import { ApiError } from '@portico/client/api-error'
import { fakeClient, refusal } from '@portico/client/testing'
import type { AccountListItem } from '@portico/contracts/wallet'
import { memoryStorage } from '@portico/shell/testing'
import { ToastProvider } from '@portico/ui/toast'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { AccountSwitcher } from '../account-switcher/account-switcher.tsx'
import { type Environment, EnvironmentContext } from '../environment.ts'
import { serverEnvironment } from '../server-environment.ts'
import { ActingAccountProvider } from './acting-account.tsx'

const OWN = {
  address: 'tp1olgaolga',
  name: 'Olga',
  type: 'FIGURE',
  authorizationType: 'Owner',
  verified: true,
} as const
const olga: AccountListItem = {
  account: { name: 'Olga', address: OWN.address },
  authorizedWallets: [OWN],
}
const larch: AccountListItem = {
  account: { name: 'Larch Partners', address: 'tp1larchlarch' },
  authorizedWallets: [{ ...OWN, authorizationType: 'Group' }],
}
const birch: AccountListItem = {
  account: { name: 'Birch', address: 'tp1birchbirch' },
  authorizedWallets: [{ ...OWN, authorizationType: 'RBAC' }],
}

const tokenOf = (claims: object) => `Bearer e30.${btoa(JSON.stringify(claims))}.`

async function showSwitcher(answers: Record<string, unknown> = {}, isConnected = false) {
  answers['readAccounts'] ??= [olga, larch, birch]
  answers['readAccountAccess'] ??= { account: olga.account, authorizedWallet: OWN }
  const { client, calls } = fakeClient(answers)
  const storage = memoryStorage()
  const navigations: string[] = []
  const kept: string[] = []
  const listeners = new Set<() => void>()
  let token = tokenOf({ addr: OWN.address })
  let notify = (_stored: boolean) => {}
  const environment: Environment = {
    ...serverEnvironment,
    client,
    storage,
    hasWalletConnection: () => isConnected,
    identityTokenUpdated: () => {
      for (const listener of listeners) listener()
    },
    watchIdentityToken(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    jwt: {
      ...serverEnvironment.jwt,
      read: () => token,
      write: (jwt) => kept.push(jwt),
      watch(listener) {
        notify = listener
        return () => undefined
      },
    },
    navigate: (to) => navigations.push(to),
    reportError: (error) => {
      throw error
    },
  }
  await render(
    <EnvironmentContext value={environment}>
      <ToastProvider>
        <ActingAccountProvider here="/dashboard/accounts">
          <AccountSwitcher />
        </ActingAccountProvider>
      </ToastProvider>
    </EnvironmentContext>,
  )
  const selections = () =>
    calls.filter(({ name }) => name === 'selectAccount').map(({ body }) => body)
  const storeElsewhere = (claims: object) => {
    token = tokenOf(claims)
    notify(true)
  }
  return { answers, calls, kept, navigations, selections, storage, storeElsewhere }
}

const opener = (name: string) => page.getByRole('button', { name: `Acting as ${name}` })
const item = (name: string) => page.getByRole('menuitemradio', { name: new RegExp(`^${name}`) })

test('4.8 selecting an account switches to it: the token and the owner are stored, and the page reloads its data', async () => {
  const { answers, kept, navigations, selections, storage } = await showSwitcher({
    selectAccount: { jwt: 'new' },
  })
  await opener('Olga').click()
  await expect.element(item('Olga')).toHaveAttribute('aria-checked', 'true')
  answers['readAccountAccess'] = {
    account: larch.account,
    authorizedWallet: larch.authorizedWallets[0],
  }
  await item('Larch').click()
  await expect.element(opener('Larch Partners')).toBeVisible()
  await expect.element(page.getByRole('menu')).not.toBeInTheDocument()
  // 6: for Group, the credentials also carry the group's address.
  expect(selections()).toEqual([
    { walletAddress: OWN.address, groupPolicyAddress: larch.account.address },
  ])
  expect([kept, storage.read('ownerWallet'), navigations]).toEqual([
    ['new'],
    larch.account.address,
    [],
  ])
})

test('4.8 a page follows the account that another tab selected, and ignores a renewed token', async () => {
  const { answers, calls, storage, storeElsewhere } = await showSwitcher()
  await expect.element(opener('Olga')).toBeVisible()
  storage.write('ownerWallet', OWN.address)
  const count = calls.length
  storeElsewhere({ addr: OWN.address, iat: 1 })
  expect(calls).toHaveLength(count)
  answers['readAccountAccess'] = {
    account: larch.account,
    authorizedWallet: larch.authorizedWallets[0],
  }
  storeElsewhere({ addr: OWN.address, grp: larch.account.address })
  await expect.element(opener('Larch Partners')).toBeVisible()
  expect(storage.read('ownerWallet')).toBeUndefined()
})

test('6 for RBAC the credentials carry only the wallet', async () => {
  const { selections } = await showSwitcher({ selectAccount: { jwt: 'new' } })
  await opener('Olga').click()
  await item('Birch').click()
  await expect.poll(selections).toEqual([{ walletAddress: OWN.address }])
})

test('4.2 with a wallet connected, the wallet of the selected account is connected on the wallet page', async () => {
  const { navigations } = await showSwitcher({ selectAccount: { jwt: 'new' } }, true)
  await opener('Olga').click()
  await item('Larch').click()
  await expect
    .poll(() => navigations)
    .toEqual(['/auth/wallet?section=Connect&redirectUrl=%2Fdashboard%2Faccounts'])
})

test('4.2 a wallet that is not verified is verified on the wallet page', async () => {
  const { kept, navigations } = await showSwitcher({
    selectAccount: refusal('wallet-not-verified'),
  })
  await opener('Olga').click()
  await item('Larch').click()
  await expect
    .poll(() => navigations)
    .toEqual([
      `/auth/wallet?section=Verify&redirectUrl=%2Fdashboard%2Faccounts&walletAddress=${OWN.address}`,
    ])
  expect(kept).toEqual([])
})

test('8 a failed switch is reported, and the session still acts as before', async () => {
  const { kept, navigations } = await showSwitcher({
    selectAccount: new ApiError('unreachable', 'Error fetching'),
  })
  await opener('Olga').click()
  await item('Larch').click()
  await expect.element(page.getByText(/We could not switch to Larch Partners\./)).toBeVisible()
  await expect.element(opener('Olga')).toBeVisible()
  expect([kept, navigations]).toEqual([[], []])
})

test('the current account is not selected again', async () => {
  const { selections } = await showSwitcher()
  await opener('Olga').click()
  await item('Olga').click()
  await expect.element(page.getByRole('menu')).not.toBeInTheDocument()
  expect(selections()).toEqual([])
})

test('arrows and letters move between the accounts, and Escape closes the menu', async () => {
  await showSwitcher()
  await opener('Olga').click()
  await expect.element(item('Olga')).toHaveFocus()
  await userEvent.keyboard('{ArrowDown}')
  await expect.element(item('Larch')).toHaveFocus()
  await userEvent.keyboard('b')
  await expect.element(item('Birch')).toHaveFocus()
  await userEvent.keyboard('{ArrowDown}')
  await expect.element(item('Olga')).toHaveFocus()
  await userEvent.keyboard('{End}{Escape}')
  await expect.element(page.getByRole('menu')).not.toBeInTheDocument()
  await expect.element(opener('Olga')).toHaveFocus()
})

test('8 accounts that failed to load can be loaded again', async () => {
  const { answers } = await showSwitcher({
    readAccounts: new ApiError('unreachable', 'Error fetching'),
  })
  await page.getByRole('button', { name: 'Acting as Not loaded' }).click()
  answers['readAccounts'] = [olga]
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(opener('Olga')).toBeVisible()
})

test('without an account the switcher links to the accounts page', async () => {
  await showSwitcher({ readAccounts: [] })
  await expect
    .element(page.getByRole('link', { name: /No account yet/ }))
    .toHaveAttribute('href', '/dashboard/accounts')
})
