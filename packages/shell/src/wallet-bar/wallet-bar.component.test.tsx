import { afterEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { WalletBar } from './wallet-bar.tsx'
import '../beside-wallet.css'

const bar = page.getByRole('status')
const cancel = page.getByRole('button', { name: 'Cancel' })

/** A page with the bar, beside the hosted wallet's panel if `panel` gives its class. */
async function showPage({ panel, onCancel }: { panel?: string; onCancel?: () => void }) {
  await render(
    <>
      <button type="button">Log in</button>
      {panel !== undefined && <div id="figure-wallet-hosted" className={panel} />}
      <WalletBar onCancel={onCancel}>Waiting for your signature</WalletBar>
    </>,
  )
}

afterEach(() => page.viewport(1280, 800))

test('2.8 on a phone the open wallet panel covers the page; the bar says what it waits for, and cancels', async () => {
  await page.viewport(390, 844)
  const onCancel = vi.fn<() => void>()
  await showPage({ panel: '', onCancel })
  await expect.element(bar).toHaveTextContent('Waiting for your signature')
  await expect.element(page.getByRole('button', { name: 'Log in' })).not.toBeInTheDocument()
  await userEvent.keyboard('{Tab}')
  await expect.element(cancel).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  expect(onCancel).toHaveBeenCalledOnce()
})

test('2.8 without a way to cancel the bar has no button', async () => {
  await page.viewport(390, 844)
  await showPage({ panel: '' })
  await expect.element(bar).toBeVisible()
  await expect.element(cancel).not.toBeInTheDocument()
})

test.each([
  ['beside the panel on a wide screen', 1280, ''],
  ['while the panel is minimized', 390, 'minimized'],
  ['while the panel is closed', 390, undefined],
])('2.8 %s there is no bar, and the page can be used', async (_, width, panel) => {
  await page.viewport(width, 844)
  await showPage({ onCancel: () => undefined, ...(panel === undefined ? {} : { panel }) })
  await expect.element(cancel).not.toBeInTheDocument()
  await expect.element(page.getByRole('button', { name: 'Log in' })).toBeVisible()
})
