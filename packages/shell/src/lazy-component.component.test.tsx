import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { ErrorBoundary } from './error-boundary.tsx'
import { lazyComponent } from './lazy-component.tsx'

const Words = () => <p>There</p>
const words = page.getByText('There')

test('4.11 a preloaded component renders at once, without suspending', async () => {
  const Lazy = lazyComponent(async () => Words)
  Lazy.preload()
  await Promise.resolve()
  const { container } = await render(<Lazy />)
  expect(container.textContent).toBe('There')
})

test('4.11 a component is loaded once, when it is first rendered', async () => {
  let loads = 0
  const loaded = Promise.withResolvers<typeof Words>()
  const Lazy = lazyComponent(() => {
    loads += 1
    return loaded.promise
  })
  const { container, rerender } = await render(<Lazy />)
  expect(container.textContent).toBe('')
  loaded.resolve(Words)
  await expect.element(words).toBeVisible()
  await rerender(<Lazy key="again" />)
  await expect.element(words).toBeVisible()
  expect(loads).toBe(1)
})

test('4.11 a preload that fails changes nothing', async () => {
  let reachable = false
  const Lazy = lazyComponent(async () => {
    if (!reachable) throw new Error('offline')
    return Words
  })
  Lazy.preload()
  await Promise.resolve()
  reachable = true
  await render(<Lazy />)
  await expect.element(words).toBeVisible()
})

test('4.11 a component that cannot be loaded shows the error screen', async () => {
  const Lazy = lazyComponent<object>(() => Promise.reject(new Error('offline')))
  await render(
    <ErrorBoundary signedIn={false} onRetry={() => undefined}>
      <Lazy />
    </ErrorBoundary>,
    { createRootOptions: { onCaughtError: () => undefined } },
  )
  await expect.element(page.getByRole('button', { name: 'Try again' })).toBeVisible()
})
