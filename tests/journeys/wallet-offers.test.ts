import { readWalletOffers } from '@portico/contracts/wallet-offers'
import { expect, test } from 'vitest'
import { aWorld } from '../support/world.ts'

test('a page of another origin reads the names and store links of the lender’s wallets', async () => {
  await using world = await aWorld()
  const response = await fetch(`${world.url}${readWalletOffers.path}`, {
    headers: { origin: 'https://dapp.example', 'sec-fetch-site': 'cross-site' },
  })
  expect(response.status).toBe(200)
  expect(response.headers.get('access-control-allow-origin')).toBe('*')
  expect(response.headers.get('access-control-allow-credentials')).toBeNull()
  expect(response.headers.get('set-cookie')).toBeNull()
  expect(await response.json()).toMatchObject({
    walletName: 'Figure Wallet',
    mobileName: 'Figure Mobile Wallet',
    extensionUrl: expect.stringMatching(/^https:/),
  })
})
