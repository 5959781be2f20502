import { useState } from 'react'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { Dialog, type DialogProps } from './dialog.tsx'

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
