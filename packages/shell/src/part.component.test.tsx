import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { ErrorBoundary } from './error-boundary.tsx'
import { part } from './part.tsx'

const Words = () => <p>There</p>
const words = page.getByText('There')

test('4.11 a preloaded part renders at once, without suspending', async () => {
  const Part = part(async () => Words)
  Part.preload()
  await Promise.resolve()
  const { container } = await render(<Part />)
  expect(container.textContent).toBe('There')
})

test('4.11 a part is loaded once, when it is first rendered', async () => {
  let loads = 0
  const loaded = Promise.withResolvers<typeof Words>()
  const Part = part(() => {
    loads += 1
    return loaded.promise
  })
  const { container, rerender } = await render(<Part />)
  expect(container.textContent).toBe('')
  loaded.resolve(Words)
  await expect.element(words).toBeVisible()
  await rerender(<Part key="again" />)
  await expect.element(words).toBeVisible()
  expect(loads).toBe(1)
})

test('4.11 a preload that fails changes nothing', async () => {
  let reachable = false
  const Part = part(async () => {
    if (!reachable) throw new Error('offline')
    return Words
  })
  Part.preload()
  await Promise.resolve()
  reachable = true
  await render(<Part />)
  await expect.element(words).toBeVisible()
})

test('4.11 a part that cannot be loaded shows the error screen', async () => {
  const Part = part<object>(() => Promise.reject(new Error('offline')))
  await render(
    <ErrorBoundary signedIn={false} onRetry={() => undefined}>
      <Part />
    </ErrorBoundary>,
    { createRootOptions: { onCaughtError: () => undefined } },
  )
  await expect.element(page.getByRole('button', { name: 'Try again' })).toBeVisible()
})
