import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { Screen } from './application.tsx'
import { anOperator, ConsoleAt, fakeEnvironment } from './testing.tsx'

test.each([
  ['/console', 'reviewer'],
  ['/console/reviews', 'admin'],
] as const)('15 at %s the role %s is led to the reviews', async (address, role) => {
  const replace = vi.fn<(to: string) => void>()
  await render(
    <ConsoleAt
      address={address}
      environment={fakeEnvironment({}, { replace })}
      operator={anOperator(role)}
    >
      <Screen path={address} />
    </ConsoleAt>,
  )
  await expect.poll(() => replace.mock.calls[0]).toEqual(['/dashboard/reviews'])
})

test.each(['audit', 'insight', 'operations', 'operators', 'tokens'])(
  '15 there is no page below /console/%s',
  async (section) => {
    const address = `/console/${section}/anything`
    await render(
      <ConsoleAt address={address} environment={fakeEnvironment({})} operator={anOperator('admin')}>
        <Screen path={address} />
      </ConsoleAt>,
    )
    await expect.element(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
  },
)

test('15 an operator with pages in the console chooses one', async () => {
  const replace = vi.fn<(to: string) => void>()
  await render(
    <ConsoleAt
      address="/console"
      environment={fakeEnvironment({}, { replace })}
      operator={anOperator('support')}
    >
      <Screen path="/console" />
    </ConsoleAt>,
  )
  await expect.element(page.getByRole('heading', { name: 'Operator console' })).toBeVisible()
  expect(replace).not.toHaveBeenCalled()
})
