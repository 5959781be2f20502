import { Button } from '@portico/ui/button'
import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { ApprovalWindow } from './approval-window.tsx'
import type { RemoteWallet } from './remote-wallet.ts'

type Situation = Partial<
  Record<'waiting' | 'connecting', number> & {
    connectFailure: ReturnType<RemoteWallet['requests']['connectFailure']>
    decided: ReturnType<RemoteWallet['requests']['decided']>
  }
>

/** A window in this situation; the button of its wallet says that no request is left to show. */
async function approvalWindow(first: Situation) {
  let now = first
  const listeners = new Set<() => void>()
  const close = vi.fn<() => void>()
  const requests = {
    waiting: () => now.waiting ?? 0,
    connecting: () => now.connecting ?? 0,
    connectFailure: () => now.connectFailure,
    decided: () => now.decided,
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
  await render(
    // Only the parts that the window uses.
    <ApprovalWindow
      wallet={{ requests, close } as unknown as RemoteWallet}
      framed={(content) => <main>{content}</main>}
    >
      {(onDone) => <Button onClick={onDone}>Done</Button>}
    </ApprovalWindow>,
  )
  return {
    close,
    become(next: Situation) {
      now = next
      for (const listener of listeners) listener()
    },
  }
}

const heading = (name: string) => page.getByRole('heading', { name })
const done = page.getByRole('button', { name: 'Done' })

test('2.6 the approval window is never blank: it says that a page connects, then shows the wallet', async () => {
  const { become, close } = await approvalWindow({ connecting: 1 })
  await expect.element(heading('Connecting to the page')).toBeVisible()
  become({ waiting: 1, connecting: 1 })
  await expect.element(done).toBeVisible()
  expect(close).not.toHaveBeenCalled()
})

const decided = { kind: 'connect', how: 'agreed' } as const

test('2.6 a page that could not be connected is explained, until the user closes the window', async () => {
  const { become, close } = await approvalWindow({ connecting: 1, decided })
  await done.click()
  become({ connectFailure: 'unanswered', decided })
  await expect.element(heading('Not connected')).toBeVisible()
  await expect
    .element(page.getByText('The page did not respond. Reload it, then connect again.'))
    .toBeVisible()
  expect(close).not.toHaveBeenCalled()
  await page.getByRole('button', { name: 'Close' }).click()
  expect(close).toHaveBeenCalled()
})

test('2.6 the window closes itself when nothing is left, but not while a request or a connection waits', async () => {
  const { become, close } = await approvalWindow({ connecting: 1, decided })
  await done.click()
  become({ waiting: 1, decided })
  await expect.element(done).toBeVisible()
  become({ decided })
  // The wallet shows how the request ended, and says then that nothing is left.
  await expect.element(done).toBeVisible()
  expect(close).not.toHaveBeenCalled()
  await done.click()
  await expect.poll(() => close.mock.calls.length).toBeGreaterThan(0)
})
