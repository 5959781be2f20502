import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { LiveRegion } from './live-region.tsx'

const region = page.getByRole('status')
const spoken = () => region.element().textContent

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

test('9 a live region clears after 300 ms', async () => {
  const { rerender } = await render(<LiveRegion message="" />)
  await expect.element(region).toHaveAttribute('aria-live', 'polite')
  expect(spoken()).toBe('')
  await rerender(<LiveRegion message="Code successfully resent." />)
  vi.advanceTimersByTime(299)
  // Renders what the timers changed.
  await rerender(<LiveRegion message="Code successfully resent." />)
  expect(spoken()).toBe('Code successfully resent.')
  vi.advanceTimersByTime(1)
  await expect.poll(spoken).toBe('')
})

test('9 a newer message is not cleared by an older timer', async () => {
  const { rerender } = await render(<LiveRegion message="One" />)
  vi.advanceTimersByTime(200)
  await rerender(<LiveRegion message="Two" />)
  vi.advanceTimersByTime(299)
  await rerender(<LiveRegion message="Two" />)
  expect(spoken()).toBe('Two')
})

test('9 the same message is announced again when it occurs again', async () => {
  const { rerender } = await render(<LiveRegion message="Copied!" />)
  vi.advanceTimersByTime(300)
  await expect.poll(spoken).toBe('')
  await rerender(<LiveRegion message="Copied!" occurrence={1} />)
  expect(spoken()).toBe('Copied!')
})
