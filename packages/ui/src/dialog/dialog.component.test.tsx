import { useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { EmailText } from '../email-text/email-text.tsx'
import { Dialog, type DialogProps } from './dialog.tsx'

/** The part of CloseWatcher that stands for the back gesture; TypeScript does not declare it. */
interface Watcher {
  requestClose(): void
}

/** A page with a button that opens a dialog. */
function Page({ forced = false, ...props }: Partial<DialogProps> & { forced?: boolean }) {
  const [open, setOpen] = useState(false)
  return (
    <main>
      <button type="button" onClick={() => setOpen(true)}>
        Reset
      </button>
      <Dialog
        title="Reset Password"
        {...props}
        open={open}
        onClose={forced ? undefined : () => setOpen(false)}
      >
        {props.children ?? (
          <form>
            <input type="hidden" name="csrf" />
            <input aria-label="New password" />
            <button type="button">Save</button>
          </form>
        )}
      </Dialog>
    </main>
  )
}

const opener = page.getByRole('button', { name: 'Reset', includeHidden: true })
const dialog = page.getByRole('dialog', { name: 'Reset Password' })

afterEach(async () => {
  vi.unstubAllGlobals()
  await page.viewport(1280, 800)
})

async function openDialog(props: Parameters<typeof Page>[0] = {}) {
  await render(<Page {...props} />)
  await opener.click()
  await expect.element(dialog).toBeVisible()
}

test('2.8 a dialog is named by its title, and focus moves to its first field', async () => {
  await openDialog()
  await expect.element(page.getByRole('textbox', { name: 'New password' })).toHaveFocus()
})

test('2.8 focus moves to the title of a dialog without fields', async () => {
  await openDialog({ children: <p>Your password expired.</p> })
  await expect.element(page.getByRole('heading', { name: 'Reset Password' })).toHaveFocus()
})

test('2.8 every element of a dialog that receives the focus has a name, also a long text without controls', async () => {
  await openDialog({
    children: Array.from({ length: 60 }, (_, at) => (
      <p key={at}>Paragraph {at + 1} of the terms.</p>
    )),
  })
  const text = page.getByRole('group', { name: 'Reset Password' })
  await expect.element(text).toBeInTheDocument()
  const focused = new Set<Element | null>()
  for (let press = 0; press < 4; press += 1) {
    await userEvent.keyboard('{Tab}')
    focused.add(document.activeElement)
  }
  expect([...focused]).toContain(text.element())
  for (const each of focused) {
    if (each instanceof HTMLElement) await expect.element(each).toHaveAccessibleName()
  }
})

test('2.8 a text with controls, or one that does not scroll, is no group of its own', async () => {
  await openDialog()
  await expect.element(page.getByRole('group')).not.toBeInTheDocument()
})

test('2.8 an address in the title of a dialog is read as one', async () => {
  await render(
    <Dialog
      open
      title={
        <>
          Lock <EmailText>ada@mail.example.com</EmailText>?
        </>
      }
    >
      They are logged out.
    </Dialog>,
  )
  const name = 'Lock ada@mail.example.com?'
  const heading = page.getByRole('heading', { name, exact: true })
  await expect.element(heading).toHaveAttribute('aria-label', name)
  await expect.element(page.getByRole('dialog', { name, exact: true })).toBeVisible()
})

test('2.8 Tab stays within the dialog, in both directions', async () => {
  await openDialog()
  const names: (string | null)[] = []
  for (let press = 0; press < 4; press += 1) {
    await userEvent.keyboard('{Tab}')
    names.push(document.activeElement?.textContent ?? null)
  }
  expect(names).toEqual(['Save', 'Close', '', 'Save'])
  await userEvent.keyboard('{Shift>}{Tab}{Tab}{/Shift}')
  await expect.element(page.getByRole('button', { name: 'Close' })).toHaveFocus()
})

test('2.8 Escape closes a dialog, and focus returns to the button that opened it', async () => {
  await openDialog()
  await userEvent.keyboard('{Escape}')
  await expect.element(dialog).not.toBeInTheDocument()
  await expect.element(opener).toHaveFocus()
})

test('2.8 the button Close closes a dialog, and focus returns', async () => {
  await openDialog()
  await page.getByRole('button', { name: 'Close' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  await expect.element(opener).toHaveFocus()
})

test('2.8 the page behind a dialog is inert until the dialog closes', async () => {
  await openDialog()
  const reset = page.getByRole('button', { name: 'Reset', exact: true })
  await expect.element(reset).not.toBeInTheDocument()
  await expect.element(page.getByRole('main')).not.toBeInTheDocument()
  await userEvent.keyboard('{Escape}')
  await expect.element(reset).toBeVisible()
})

test('2.3 a forced dialog has no Close, and neither Escape nor a click beside it closes it', async () => {
  await openDialog({ forced: true })
  await expect.element(page.getByRole('button', { name: 'Close' })).not.toBeInTheDocument()
  await userEvent.keyboard('{Escape}')
  await userEvent.click(document.documentElement, { position: { x: 5, y: 5 }, force: true })
  await expect.element(dialog).toBeVisible()
  await expect.element(page.getByRole('textbox', { name: 'New password' })).toBeVisible()
})

test('2.8 a dialog inside another replaces it, and Back or Escape returns to it', async () => {
  await openDialog({ children: <Page title="Choose a method" /> })
  const inner = page.getByRole('dialog', { name: 'Choose a method' })
  const openInner = dialog.getByRole('button', { name: 'Reset' })
  for (const goBack of [
    () => page.getByRole('button', { name: 'Back' }).click(),
    () => userEvent.keyboard('{Escape}'),
  ]) {
    await openInner.click()
    await expect.element(inner).toBeVisible()
    await expect.element(page.getByText('Reset Password')).not.toBeVisible()
    await goBack()
    await expect.element(inner).not.toBeInTheDocument()
    await expect.element(dialog).toBeVisible()
    await expect.element(openInner).toHaveFocus()
  }
})

test('9 a dialog is 28 rem wide, 37.5 rem on Connect, and as wide as a phone', async () => {
  const width = () => dialog.element().getBoundingClientRect().width / 16
  await openDialog()
  expect(width()).toBe(28)
  await page.viewport(390, 844)
  expect(width()).toBe(390 / 16)
})

test('9 on Connect a dialog is 37.5 rem wide', async () => {
  await openDialog({ width: 'wide' })
  expect(dialog.element().getBoundingClientRect().width / 16).toBe(37.5)
})

test('2.8 on a touch screen the back gesture closes a dialog', async () => {
  const onClose = vi.fn<() => void>()
  const { CloseWatcher } = globalThis as unknown as { CloseWatcher: new () => Watcher }
  const watchers: Watcher[] = []
  vi.stubGlobal(
    'CloseWatcher',
    class extends CloseWatcher {
      constructor() {
        super()
        watchers.push(this)
      }
    },
  )
  vi.stubGlobal('matchMedia', (query: string) => ({ matches: query === '(pointer: coarse)' }))
  await render(
    <Dialog open title="Reset Password" onClose={onClose}>
      Text
    </Dialog>,
  )
  watchers.at(-1)?.requestClose()
  expect(onClose).toHaveBeenCalledOnce()
})
