import { Dialog } from '@portico/ui/dialog'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { useReturnFocus } from './return-focus.ts'

function Step({ onDone }: { onDone: () => void }) {
  useReturnFocus()
  return (
    <Dialog open title="Confirm">
      <button type="button" onClick={onDone}>
        Done
      </button>
    </Dialog>
  )
}

function Page() {
  const [open, setOpen] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Change
      </button>
      {open && <Step onDone={() => setOpen(false)} />}
    </>
  )
}

test('2.8 focus returns to the opener when a whole dialog is unmounted', async () => {
  await render(<Page />)
  const change = page.getByRole('button', { name: 'Change' })
  await change.click()
  await page.getByRole('button', { name: 'Done' }).click()
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  await expect.element(change).toHaveFocus()
})
