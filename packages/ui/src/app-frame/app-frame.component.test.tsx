import { afterEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { AppFrame } from './app-frame.tsx'

afterEach(() => page.viewport(1280, 800))

const frame = (
  <AppFrame
    logo="Lender"
    navigation={[
      { label: 'Home', href: '/home', icon: 'home', current: 'page' },
      { label: 'Accounts', href: '/accounts', icon: 'wallet' },
    ]}
    switcher={<button type="button">Acting as Olga</button>}
    tools={<button type="button">Help</button>}
  >
    <h1>Home</h1>
  </AppFrame>
)

const navigation = page.getByRole('navigation', { name: 'Main' })
const switcher = page.getByRole('button', { name: 'Acting as Olga' })
const top = (element: Element) => element.getBoundingClientRect().top

test('2.8 on a wide page navigation and switcher are in the header; on a narrow one at the bottom and below it', async () => {
  await render(frame)
  const heading = page.getByRole('heading').element()
  for (const [width, isAbove] of [
    [1280, true],
    [390, false],
  ] as const) {
    await page.viewport(width, 800)
    // Only the displayed ones have a role.
    await expect.element(navigation).toBeVisible()
    await expect.element(switcher).toBeVisible()
    expect(top(navigation.element()) < top(heading)).toBe(isAbove)
    expect(top(switcher.element())).toBeLessThan(top(heading))
  }
})

test('2.8 the first link skips the navigation, and is visible only with the focus', async () => {
  await render(frame)
  await userEvent.keyboard('{Tab}')
  const skip = page.getByRole('link', { name: 'Skip to content' })
  await expect.element(skip).toHaveFocus()
  await expect.element(skip).toHaveAttribute('href', '#content')
  await expect.element(page.getByRole('main')).toHaveAttribute('id', 'content')
})

test('2.8 the current entry is announced as such', async () => {
  await render(frame)
  await expect
    .element(navigation.getByRole('link', { name: 'Home' }))
    .toHaveAttribute('aria-current', 'page')
  await expect
    .element(navigation.getByRole('link', { name: 'Accounts' }))
    .not.toHaveAttribute('aria-current')
})
