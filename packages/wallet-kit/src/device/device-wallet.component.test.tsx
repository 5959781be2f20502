import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { signing } from '../approval/approval.samples.ts'
import { DeviceWallet } from './device-wallet.tsx'
import { type FakeDevice, fakeDevice } from './testing.ts'

const PASSPHRASE = 'larch window seven river'
const WORDS =
  'bleak alpha bunker give message direct powder general issue awesome animal ice entry parade ' +
  'invest sausage tragic away nuclear gaze learn during crew benefit'
const EXISTING = {
  vault: { passphrase: PASSPHRASE, words: WORDS },
  accounts: [
    {
      name: 'Everyday',
      address: 'tp1knsxfnn0lq48mmnkfnkgtkk8qnxxdu0y2tklkh',
      publicKey: '',
      verified: false,
      groups: [{ name: 'Larch Partners', address: 'tp1larch' }],
    },
  ],
} satisfies FakeDevice

async function open(initial: FakeDevice = {}, onDone?: () => void) {
  await page.viewport(360, 600)
  const device = fakeDevice(initial)
  await render(<DeviceWallet environment={device.environment} onDone={onDone} />)
  return device
}

const button = (name: string) => page.getByRole('button', { name, exact: true })
const field = (name: string) => page.getByLabelText(name, { exact: true })
const heading = (name: string) => page.getByRole('heading', { name })

async function choosePassphrase(submit: string) {
  await field('Passphrase').fill(PASSPHRASE)
  await field('Passphrase again').fill(PASSPHRASE)
  await field('Account name').fill('Everyday')
  await button(submit).click()
}

/** The words on the screen, in order. */
const shownWords = () =>
  page
    .getByRole('listitem')
    .elements()
    .map((item) => item.textContent)

/** The numbers of the words that the screen asks for. */
const askedNumbers = () =>
  page
    .getByRole('textbox', { name: /^Word \d+$/ })
    .elements()
    .map((input) => Number((input as HTMLInputElement).labels?.[0]?.textContent?.slice(5)))

test('2.6 a wallet is created after the written words were checked', async () => {
  const device = await open()
  await button('Create a wallet').click()
  await choosePassphrase('Continue')
  await expect.element(heading('Write down your recovery words')).toHaveFocus()
  expect(new Set(shownWords()).size).toBe(1)
  await button('Show the words').click()
  const words = shownWords()
  expect(words).toHaveLength(12)
  await button('I wrote them down').click()
  await expect.element(heading('Check your recovery words')).toHaveFocus()
  expect(device.vault()).toBeUndefined()
  for (const number of askedNumbers()) await field(`Word ${number}`).fill('wrong')
  await button('Create the wallet').click()
  await expect.element(page.getByText(/^That does not match\./)).toBeVisible()
  const asked = askedNumbers()
  expect(asked).toHaveLength(3)
  for (const number of asked) {
    await expect.element(field(`Word ${number}`)).toHaveValue('')
    await field(`Word ${number}`).fill(words[number - 1] ?? '')
  }
  await button('Create the wallet').click()
  await expect.element(page.getByText('Your wallet is ready')).toBeVisible()
  await expect.element(page.getByText('Everyday', { exact: true })).toBeVisible()
  expect(device.vault()).toEqual({ passphrase: PASSPHRASE, words: words.join(' ') })
})

test('2.6 a wallet is restored from its words, and a wrong word is named by its number', async () => {
  const device = await open()
  await button('Restore from recovery words').click()
  const words = field('Recovery words')
  await words.fill(WORDS.replace('bunker', 'bunkr'))
  await button('Continue').click()
  await expect.element(words).toHaveAccessibleDescription(/word 3 \('bunkr'\)/)
  await words.fill(WORDS.split(' ').slice(1).join(' '))
  await button('Continue').click()
  await expect.element(words).toHaveAccessibleDescription(/You have entered 23/)
  await words.fill(WORDS.split(' ').toReversed().join(' '))
  await button('Continue').click()
  await expect.element(words).toHaveAccessibleDescription(/Check their order/)
  await words.fill(`  ${WORDS.toUpperCase().replaceAll(' ', '\n')} `)
  await button('Continue').click()
  await choosePassphrase('Restore')
  await expect.element(page.getByText('Everyday', { exact: true })).toBeVisible()
  expect(device.vault()).toEqual({ passphrase: PASSPHRASE, words: WORDS })
})

test('2.8 a wrong passphrase is an error of the field, and too many are counted down', async () => {
  await open({ ...EXISTING, isLocked: true })
  for (let attempt = 0; attempt < 2; attempt += 1) {
    await field('Passphrase').fill('wrong')
    await userEvent.keyboard('{Enter}')
    await expect
      .element(field('Passphrase'))
      .toHaveAccessibleDescription('This is not the passphrase of this wallet.')
  }
  await field('Passphrase').fill('wrong')
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByText(/^\d+ seconds$/)).toBeVisible()
  await expect.element(button('Unlock')).toBeDisabled()
})

test('2.8 a request that waits for a locked wallet is shown after unlocking, and its outcome after approving', async () => {
  const device = await open({ ...EXISTING, isLocked: true, prompts: [signing] })
  await expect.element(page.getByText('https://lender.example')).toBeVisible()
  await field('Passphrase').fill(PASSPHRASE)
  await button('Unlock').click()
  await expect.element(heading('Sign this message?')).toHaveFocus()
  await button('Sign').click()
  await expect.element(heading('Signed')).toHaveFocus()
  expect(device.answers).toEqual([
    { promptId: signing.id, result: { kind: 'sign', signature: '00' } },
  ])
  await button('Done').click()
  await expect.element(heading('Your accounts')).toHaveFocus()
})

test('2.8 Escape and Enter neither reject nor approve a request', async () => {
  const device = await open({ ...EXISTING, prompts: [signing] })
  await expect.element(button('Sign')).toBeEnabled()
  await userEvent.keyboard('{Escape}')
  ;(button('Sign').element() as HTMLElement).focus()
  await userEvent.keyboard('{Enter}{Escape}')
  await expect.element(heading('Sign this message?')).toBeVisible()
  expect(device.answers).toEqual([])
})

test('2.8 a window that was opened for requests closes after the last one', async () => {
  const onDone = vi.fn<() => void>()
  const device = await open(
    { ...EXISTING, prompts: [signing, { ...signing, id: 'second' }] },
    onDone,
  )
  await expect.element(page.getByText('1 of 2')).toBeVisible()
  await button('Reject').click()
  await button('Next request (1 left)').click()
  await expect.element(heading('Sign this message?')).toBeVisible()
  expect(onDone).not.toHaveBeenCalled()
  await button('Reject').click()
  await button('Done').click()
  await expect.poll(() => onDone.mock.calls.length).toBeGreaterThan(0)
  expect(device.answers.map(({ promptId }) => promptId)).toEqual([signing.id, 'second'])
})

test('2.8 a wallet whose passphrase is forgotten is removed only after typing a word', async () => {
  const device = await open({ ...EXISTING, isLocked: true })
  await button('Forgot your passphrase?').click()
  await expect.element(heading('Forgot your passphrase?')).toHaveFocus()
  await button('Remove the wallet').click()
  await expect
    .element(field('Type REMOVE to confirm'))
    .toHaveAccessibleDescription('Please type REMOVE to confirm.')
  expect(device.vault()).toBeDefined()
  await field('Type REMOVE to confirm').fill('remove')
  await button('Remove the wallet').click()
  await expect.element(heading('Set up your wallet')).toHaveFocus()
  expect(device.vault()).toBeUndefined()
})
