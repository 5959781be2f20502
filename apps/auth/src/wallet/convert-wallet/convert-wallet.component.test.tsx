import { fakeClient, refusal } from '@portico/client/testing'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { EnvironmentContext } from '../../environment.ts'
import { serverEnvironment } from '../../server-environment.ts'
import { ConvertWallet } from './convert-wallet.tsx'

const ADDRESS = 'tp1knsxfnn0lq48mmnkfnkgtkk8qnxxdu0y2tklkh'

const convert = page.getByRole('button', { name: 'Convert wallet' })

async function renderPage(answer: unknown) {
  const { client, calls } = fakeClient({ convertWallet: answer })
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
      />
    </EnvironmentContext>,
  )
  return { calls, visited }
}

test('2.2 the conversion is requested once, then the user returns', async () => {
  const { calls, visited } = await renderPage({ address: ADDRESS })
  await convert.click()
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect.element(page.getByRole('button', { name: 'One moment…' })).toBeVisible()
  expect(calls).toEqual([{ name: 'convertWallet', body: { walletAddress: 'tp1old' } }])
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
  await expect.poll(() => calls.length).toBe(2)
  expect(visited).toEqual([])
})
