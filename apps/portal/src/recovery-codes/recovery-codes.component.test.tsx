import { refusal } from '@portico/client/testing'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { Environment } from '../environment.ts'
import { renderDialog } from '../testing.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'

const codes = ['abcd-efgh', 'ijkl-mnop']

const create = page.getByRole('button', { name: 'Create recovery codes' })

const renderCodes = (
  answers: Record<string, unknown>,
  { left = 0, ...changes }: Partial<Environment> & { left?: number } = {},
) =>
  renderDialog(
    (props) => <RecoveryCodes {...props} company="Figure" left={left} />,
    answers,
    changes,
  )

test('codes are created only on request, and shown once until the dialog closes', async () => {
  const { calls, results } = await renderCodes({ makeRecoveryCodes: { codes } })
  await expect.element(create).toBeVisible()
  expect(calls).toEqual([])
  await create.click()
  for (const code of codes) await expect.element(page.getByText(code)).toBeVisible()
  await page.getByRole('button', { name: 'I have saved them' }).click()
  expect(results).toEqual(['changed'])
})

test('the dialog cannot be closed while codes are created, because the old ones may already be invalid', async () => {
  const { results } = await renderCodes({}, { client: () => new Promise<never>(() => undefined) })
  await create.click()
  await userEvent.keyboard('{Escape}')
  await expect.element(page.getByRole('button', { name: 'Creating your codes…' })).toBeVisible()
  expect(results).toEqual([])
})

test('codes can be downloaded as a text file and copied', async () => {
  const files: string[] = []
  const copied: string[] = []
  await renderCodes(
    { makeRecoveryCodes: { codes } },
    {
      download: (name, text) => files.push(name, String(text)),
      copy: async (text) => {
        copied.push(text)
        return false
      },
    },
  )
  await create.click()
  await page.getByRole('button', { name: 'Download as a text file' }).click()
  expect(files[0]).toBe('recovery-codes.txt')
  expect(files[1]).toContain('abcd-efgh\r\nijkl-mnop\r\n')
  await page.getByRole('button', { name: 'Copy' }).click()
  expect(copied).toEqual(['abcd-efgh\r\nijkl-mnop\r\n'])
  await expect.element(page.getByText(/did not allow copying/)).toBeVisible()
})

test('a user who has codes is warned that these stop working', async () => {
  await renderCodes({}, { left: 8 })
  await expect.element(page.getByText('The 8 codes you have now stop working.')).toBeVisible()
})

test('an error shows why, and codes can be requested again', async () => {
  const { calls } = await renderCodes({ makeRecoveryCodes: refusal('server-fault') })
  await create.click()
  await expect.element(page.getByRole('alert')).toBeVisible()
  await create.click()
  await expect.poll(() => calls.length).toBe(2)
})
