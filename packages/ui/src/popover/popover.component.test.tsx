import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { Popover } from './popover.tsx'

const opener = page.getByRole('button', { name: 'Help' })
const popover = page.getByRole('dialog', { name: 'Help' })

async function showHelp() {
  await render(
    <>
      <Popover look="icon" label="Help" button="?">
        <a href="#call">Call us</a>
        <p>Any time</p>
      </Popover>
      <p>Elsewhere</p>
    </>,
  )
  await opener.click()
  await expect.element(popover).toBeVisible()
}

test('2.8 a popover takes the focus, and returns it on Escape', async () => {
  await showHelp()
  await expect.element(popover).toHaveFocus()
  await userEvent.keyboard('{Tab}')
  await expect.element(page.getByRole('link', { name: 'Call us' })).toHaveFocus()
  await userEvent.keyboard('{Escape}')
  await expect.element(popover).not.toBeInTheDocument()
  await expect.element(opener).toHaveFocus()
})

test('2.8 a link in a popover closes it; its other content does not', async () => {
  await showHelp()
  await page.getByText('Any time').click()
  await expect.element(popover).toBeVisible()
  await page.getByRole('link', { name: 'Call us' }).click()
  await expect.element(popover).not.toBeInTheDocument()
})

test('2.8 a click elsewhere closes a popover', async () => {
  await showHelp()
  await page.getByText('Elsewhere').click()
  await expect.element(popover).not.toBeInTheDocument()
})

test('WAI-ARIA menu: arrows, Home, End and letters move between its items, and Tab closes it', async () => {
  const chosen: string[] = []
  await render(
    <Popover look="choice" kind="menu" label="Accounts" button="Accounts">
      {['Savings', 'Larch', 'Spruce'].map((name) => (
        <button
          key={name}
          type="button"
          role="menuitemradio"
          aria-checked={name === 'Larch'}
          tabIndex={-1}
          onClick={() => chosen.push(name)}
        >
          {name}
        </button>
      ))}
    </Popover>,
  )
  await page.getByRole('button', { name: 'Accounts' }).click()
  const item = (name: string) => page.getByRole('menuitemradio', { name })
  await expect.element(item('Larch')).toHaveFocus()
  for (const [key, name] of [
    ['{ArrowDown}', 'Spruce'],
    ['{ArrowDown}', 'Savings'],
    ['{ArrowUp}', 'Spruce'],
    ['{Home}', 'Savings'],
    ['{End}', 'Spruce'],
    ['sa', 'Savings'],
  ] as const) {
    await userEvent.keyboard(key)
    await expect.element(item(name)).toHaveFocus()
  }
  // A letter typed later begins another word, and the next item with it is found.
  await new Promise((resolve) => setTimeout(resolve, 600))
  await userEvent.keyboard('s')
  await expect.element(item('Spruce')).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByRole('menu')).not.toBeInTheDocument()
  expect(chosen).toEqual(['Spruce'])
  await page.getByRole('button', { name: 'Accounts' }).click()
  await userEvent.keyboard('{Tab}')
  await expect.element(page.getByRole('menu')).not.toBeInTheDocument()
})
