import { fakeClient, refusal } from '@portico/client/testing'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { EnvironmentContext } from '../../environment.ts'
import { serverEnvironment } from '../../server-environment.ts'
import { ConvertWallet } from './convert-wallet.tsx'

const ADDRESS = 'tp1knsxfnn0lq48mmnkfnkgtkk8qnxxdu0y2tklkh'

const convert = page.getByRole('button', { name: 'Convert wallet' })

interface Situation {
  /** What the old address holds at each check; an error if the blockchain does not respond. */
  readonly balances?: (Error | readonly { denom: string; amount: string }[])[]
  readonly accounts?: unknown
}

async function renderPage(answer: unknown, { balances = [[]], accounts = [] }: Situation = {}) {
  const { client, calls: all } = fakeClient({ convertWallet: answer, readWalletAccounts: accounts })
  const chain = {
    async balances() {
      const [held = []] = balances.length > 1 ? balances.splice(0, 1) : balances
      if (held instanceof Error) throw held
      return held
    },
  }
  const visited: string[] = []
  const environment = {
    ...serverEnvironment,
    client,
    location: () => new URL('https://www.lender.example/auth/wallet'),
    navigate: (to: string) => visited.push(to),
  }
  await render(
    <EnvironmentContext value={environment}>
      <ConvertWallet
        walletAddress="tp1old"
        query={new URLSearchParams('redirectUrl=/auth/wallet')}
        supportPhone="8005550142"
        chain={chain}
      />
    </EnvironmentContext>,
  )
  return { calls: () => all.filter(({ name }) => name === 'convertWallet'), visited }
}

test('2.2 the conversion is requested once, then the user returns', async () => {
  const { calls, visited } = await renderPage({ address: ADDRESS })
  await convert.click()
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect.element(page.getByRole('button', { name: 'One moment…' })).toBeVisible()
  expect(calls()).toEqual([{ name: 'convertWallet', body: { walletAddress: 'tp1old' } }])
  expect(visited).toEqual([expect.stringContaining('/auth/wallet')])
})

test('2.2 the conversion shows that it is done, and no longer calls the wallet old', async () => {
  await renderPage({ address: ADDRESS })
  await convert.click()
  const heading = page.getByRole('heading', { name: 'Your wallet has been converted' })
  await expect.element(heading).toHaveFocus()
  await expect.element(page.getByText(ADDRESS).last()).toBeVisible()
  expect(document.body.textContent).not.toMatch(/old wallet/i)
})

test('7.4 a refused conversion shows why, and can be requested again', async () => {
  const { calls, visited } = await renderPage(refusal('wallet-not-convertible'))
  await convert.click()
  await expect.element(page.getByRole('alert')).toBeVisible()
  await convert.click()
  await expect.poll(() => calls().length).toBe(2)
  expect(visited).toEqual([])
})

const HASH = [{ denom: 'nhash', amount: '1000000000000' }]
const settled = page.getByRole('checkbox', { name: /^I have moved my money/ })

test('2.2 money at the old address is sent first, to one of the own accounts', async () => {
  const { calls } = await renderPage(
    { address: ADDRESS },
    {
      balances: [HASH, []],
      accounts: [
        { name: 'Savings', address: 'tp1savings', type: 'FIGURE', verified: true },
        { name: 'Phone', address: 'tp1phone', type: 'SELF_CUSTODY', verified: false },
        { name: 'Everyday', address: 'tp1old', type: 'PROVENANCE', verified: true },
      ],
    },
  )
  await expect.element(page.getByText(/Your old wallet holds 1,000 hash/)).toBeVisible()
  await expect.element(page.getByText('tp1savings')).toBeVisible()
  expect(document.body.textContent).not.toContain('tp1phone')
  await expect.element(convert).toBeDisabled()
  await page.getByRole('button', { name: 'check the balance again' }).click()
  await expect.element(page.getByText('Move your money first')).not.toBeInTheDocument()
  await convert.click()
  expect(calls()).toHaveLength(1)
})

test('2.2 a conversion that leaves money behind says so before and after', async () => {
  await renderPage({ address: ADDRESS }, { balances: [HASH] })
  const create = page.getByRole('link', { name: 'Create a new wallet account to receive it' })
  await expect.element(create).toHaveAttribute('href', expect.stringContaining('create-wallet'))
  await expect.element(convert).toBeDisabled()
  await settled.click()
  await convert.click()
  await expect.element(page.getByText('1,000 hash stayed at your previous address')).toBeVisible()
  await expect.element(page.getByText('tp1old')).toBeVisible()
})

test('2.2 if the balance is unknown, the page does not say that there is none', async () => {
  await renderPage({ address: ADDRESS }, { balances: [new Error('down')] })
  await expect.element(page.getByText(/We cannot reach the blockchain/)).toBeVisible()
  await expect.element(convert).toBeDisabled()
  await settled.click()
  await expect.element(convert).toBeEnabled()
})
