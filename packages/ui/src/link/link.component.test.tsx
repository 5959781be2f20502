import type { SubmitEvent } from 'react'
import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { RowButton } from '../row/row-button.tsx'
import { RowLink } from '../row/row-link.tsx'
import { Link } from './link.tsx'
import { LinkButton } from './link-button.tsx'

test('2.8 a link button acts on its page and submits no form around it', async () => {
  const onClick = vi.fn<() => void>()
  const onSubmit = vi.fn<(event: SubmitEvent) => void>((event) => event.preventDefault())
  await render(
    <form onSubmit={onSubmit}>
      <LinkButton onClick={onClick}>Use a passkey</LinkButton>
    </form>,
  )
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await userEvent.keyboard('{Enter}')
  expect(onClick).toHaveBeenCalledTimes(2)
  expect(onSubmit).not.toHaveBeenCalled()
})

test('2.8 links and rows of links lead to their pages', async () => {
  await render(
    <>
      <Link href="/auth/login">Log in</Link>
      <RowLink href="/security" title="Security" details="Password and passkeys" />
    </>,
  )
  const href = (name: string) => page.getByRole('link', { name }).element().getAttribute('href')
  expect([href('Log in'), href('Security Password and passkeys')]).toEqual([
    '/auth/login',
    '/security',
  ])
})

test('2.8 a row that is a choice is a button with its title and details as its name', async () => {
  const onClick = vi.fn<() => void>()
  await render(<RowButton title="Figure Wallet" details="Create or open it" onClick={onClick} />)
  await page.getByText('Create or open it').click()
  await userEvent.keyboard('{Enter}')
  expect(onClick).toHaveBeenCalledTimes(2)
  await expect
    .element(page.getByRole('button', { name: 'Figure Wallet Create or open it' }))
    .toHaveFocus()
})
