import { refusal } from '@portico/client/testing'
import type { PassportFile } from '@portico/contracts/passport'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { EnvironmentContext } from '../environment.ts'
import { serverEnvironment } from '../server-environment.ts'
import { Evidence } from './evidence.tsx'
import { section } from './fill-in.samples.ts'
import { file } from './upload-file.samples.ts'

const MODIFIED_AT = 1_893_456_000_000
const aFile = (name: string) =>
  new File([new Uint8Array(1000)], name, { lastModified: MODIFIED_AT, type: 'application/pdf' })

async function open(
  answers: Readonly<Record<string, unknown>>,
  files: readonly PassportFile[] = [],
) {
  const calls: string[] = []
  const downloads: string[] = []
  const uploads: number[] = []
  const client = (async (call: { name: string }) => {
    calls.push(call.name)
    const answer = answers[call.name]
    if (answer instanceof Error) throw answer
    return answer
  }) as typeof serverEnvironment.client // The test provides the table.
  const environment = {
    ...serverEnvironment,
    client,
    download: (name: string) => void downloads.push(name),
    network: { isOnline: () => true, watch: () => () => undefined },
  }
  function Page() {
    const [shown, setShown] = useState(files)
    return (
      <Evidence
        passportUuid="passport"
        files={shown}
        onFiles={setShown}
        onSection={() => undefined}
        onUploads={(count) => void uploads.push(count)}
        supportPhone="8005550142"
      />
    )
  }
  await render(
    <EnvironmentContext value={environment}>
      <Page />
    </EnvironmentContext>,
  )
  return { calls, downloads, uploads }
}

const uploaded = { ...file, bytes: 1000, receivedBytes: 1000 }
const begun = { ...uploaded, type: null, receivedBytes: 0 }
const inputFor = (name: string) =>
  [...document.querySelectorAll<HTMLInputElement>('input[type=file]')].find(
    (input) => input.ariaLabel === name,
  ) as HTMLInputElement

test('a chosen file is uploaded, can be downloaded, and removed', async () => {
  const { calls, downloads } = await open({
    createPassportFile: begun,
    sendPassportFilePart: uploaded,
    completePassportFile: { file: uploaded, section: section(2, '') },
    downloadPassportFile: new Uint8Array(),
    removePassportFile: { section: null },
  })
  await userEvent.upload(inputFor('Files'), aFile('Bank statement.pdf'))
  await page.getByRole('button', { name: 'Download Bank statement.pdf' }).click()
  await expect.poll(() => downloads).toEqual(['Bank statement.pdf'])
  const remove = page.getByRole('button', { name: 'Remove Bank statement.pdf' })
  await remove.click()
  await page.getByRole('button', { name: 'Keep' }).click()
  await expect.element(remove).toHaveFocus()
  expect(calls).not.toContain('removePassportFile')
  await remove.click()
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  await expect.element(page.getByText('Bank statement.pdf')).not.toBeInTheDocument()
  expect(calls).toEqual([
    'createPassportFile',
    'sendPassportFilePart',
    'completePassportFile',
    'downloadPassportFile',
    'removePassportFile',
  ])
})

test('a rejected file says what to do, and a file of another type is not sent', async () => {
  const { calls, uploads } = await open({
    createPassportFile: begun,
    sendPassportFilePart: uploaded,
    completePassportFile: refusal('file-has-password'),
  })
  await userEvent.upload(inputFor('Files'), [aFile('page.svg'), aFile('locked.pdf')])
  await expect.element(page.getByText(/Please add a PDF, JPEG or PNG file/)).toBeVisible()
  await expect.element(page.getByText(/Please add a copy without one/)).toBeVisible()
  // Nothing is uploaded any more, so the passport can be submitted.
  await expect.poll(() => uploads.at(-1)).toBe(0)
  expect(Math.max(...uploads)).toBe(1)
  await page.getByRole('button', { name: 'Close page.svg' }).click()
  await expect.element(page.getByText('page.svg')).not.toBeInTheDocument()
  expect(calls.filter((name) => name === 'createPassportFile')).toHaveLength(1)
})

test('after a reload the same file is chosen again, and the upload resumes', async () => {
  const half = { ...begun, name: 'Bank statement.pdf', modifiedAt: MODIFIED_AT, receivedBytes: 400 }
  const { calls } = await open(
    {
      readPassportFile: half,
      sendPassportFilePart: uploaded,
      completePassportFile: { file: uploaded, section: section(2, '') },
    },
    [half],
  )
  await expect.element(page.getByText(/^Interrupted at 40%/)).toBeVisible()
  const input = inputFor('The file Bank statement.pdf')
  const choose = (chosen: File) => {
    // A file uploaded by the test would have a different modification time.
    const transfer = new DataTransfer()
    transfer.items.add(chosen)
    input.files = transfer.files
    input.dispatchEvent(new Event('change', { bubbles: true }))
  }
  choose(new File(['other'], 'Bank statement.pdf'))
  await expect.element(page.getByText('This is another file, or it was changed.')).toBeVisible()
  expect(calls).toEqual([])
  choose(aFile('Bank statement.pdf'))
  await expect.element(page.getByText(/added/)).toBeVisible()
  expect(calls).toEqual(['readPassportFile', 'sendPassportFilePart', 'completePassportFile'])
})

test('an interrupted upload can be resumed or canceled', async () => {
  const { calls } = await open({
    createPassportFile: begun,
    sendPassportFilePart: refusal('files-not-available'),
    readPassportFile: begun,
    removePassportFile: { section: null },
  })
  await userEvent.upload(inputFor('Files'), aFile('Bank statement.pdf'))
  await page.getByRole('button', { name: 'Continue Bank statement.pdf' }).click()
  await page.getByRole('button', { name: 'Cancel Bank statement.pdf' }).click()
  await expect.element(page.getByText('Bank statement.pdf')).not.toBeInTheDocument()
  await expect.poll(() => calls.at(-1)).toBe('removePassportFile')
})
