import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { CreateWallet } from './create-wallet.tsx'

test('2.6 the create-wallet modal lists three benefits, and Continue leads on', async () => {
  const onContinue = vi.fn<() => void>()
  await render(
    <CreateWallet connectHref="/auth/wallet" onContinue={onContinue} onClose={() => undefined} />,
  )
  const modal = page.getByRole('dialog', { name: 'Create Figure Wallet' })
  await expect.element(modal).toBeVisible()
  const benefits = modal.getByRole('listitem').elements()
  expect(benefits.map(({ textContent }) => textContent)).toEqual([
    'Control your crypto and digital assets',
    'Securely authenticate and sign transactions',
    'Reuse your verified identity information',
  ])
  await modal.getByRole('button', { name: 'Continue' }).click()
  expect(onContinue).toHaveBeenCalledOnce()
  await expect
    .element(modal.getByRole('link', { name: 'Connect a wallet you already have' }))
    .toHaveAttribute('href', '/auth/wallet')
})
