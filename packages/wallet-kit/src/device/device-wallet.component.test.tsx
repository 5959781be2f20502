import { ApiError } from '@portico/client/api-error'
import { Refusal } from '@portico/contracts/errors'
import { expect, onTestFinished, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { signing } from '../approval/approval.samples.ts'
import type { HistoryEntry } from '../device-wallet.ts'
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

/** The items of the list on the screen, in order. */
const shownItems = () =>
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
  expect(new Set(shownItems()).size).toBe(1)
  await button('Show words').click()
  const words = shownItems()
  expect(words).toHaveLength(12)
  await button('Continue').click()
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
  await expect.element(words).toHaveAccessibleDescription(/Check the order of the words/)
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

test('2.8 a wallet with a forgotten passphrase is removed only after reading what is lost and typing a word', async () => {
  const device = await open({ ...EXISTING, isLocked: true })
  await button('Forgot your passphrase?').click()
  await expect.element(heading('Forgot your passphrase?')).toHaveFocus()
  expect(shownItems()).toEqual([
    'the keys of all its accounts',
    'the record of what you signed',
    'the connections to all sites',
  ])
  await expect.element(page.getByText(/^Only your recovery words can bring/)).toBeVisible()
  await button('Remove wallet').click()
  await expect
    .element(field('Type REMOVE to confirm'))
    .toHaveAccessibleDescription('Please type REMOVE to confirm.')
  expect(device.vault()).toBeDefined()
  await field('Type REMOVE to confirm').fill('remove')
  await button('Remove wallet').click()
  await expect.element(heading('Set up your wallet')).toHaveFocus()
  expect(device.vault()).toBeUndefined()
})

test('2.8 the wallet locks at once, and the shown request asks for the passphrase', async () => {
  const device = await open({ ...EXISTING, prompts: [signing] })
  await expect.element(button('Sign')).toBeEnabled()
  await device.environment.keeper.lock()
  await expect.element(heading('Your wallet is locked')).toHaveFocus()
  await expect.element(page.getByText('I agree')).not.toBeInTheDocument()
  await field('Passphrase').fill(PASSPHRASE)
  await button('Unlock').click()
  await expect.element(heading('Sign this message?')).toHaveFocus()
  expect(device.answers).toEqual([])
})

test('2.8 a request that the page withdraws is explained', async () => {
  const device = await open({ ...EXISTING, prompts: [signing] })
  await expect.element(heading('Sign this message?')).toBeVisible()
  device.withdraw(signing.id)
  await expect.element(heading('Nothing was signed')).toHaveFocus()
  await button('Done').click()
  await expect.element(heading('Your accounts')).toBeVisible()
})

test('2.8 the wait after wrong passphrases survives a reload', async () => {
  await open({ ...EXISTING, isLocked: true, retryAt: Date.now() + 65_000 })
  await expect.element(page.getByText(/^1:0\d minutes$/)).toBeVisible()
  await expect.element(button('Unlock')).toBeDisabled()
})

test('2.8 accounts are created and renamed, and a blank name is refused', async () => {
  await open(EXISTING)
  await button('Create another account').click()
  await field('Account name').fill(' ')
  await button('Create').click()
  await expect
    .element(field('Account name'))
    .toHaveAccessibleDescription('Account name is required')
  await field('Account name').fill('Savings')
  await button('Create').click()
  await button('Rename Savings').click()
  await field('Account name').fill('House')
  await button('Save').click()
  await expect.element(page.getByText('House', { exact: true })).toBeVisible()
  await expect.element(page.getByText('Savings', { exact: true })).not.toBeInTheDocument()
})

test('2.8 if balances cannot be read, the accounts are still shown, and reading can be retried', async () => {
  await page.viewport(360, 600)
  const { environment } = fakeDevice(EXISTING)
  const balances = vi
    .fn<NonNullable<typeof environment.balances>>()
    .mockRejectedValueOnce(new ApiError('unreachable', 'Error fetching'))
    .mockResolvedValue(new Map([[EXISTING.accounts[0]?.address ?? '', '25 hash']]))
  await render(<DeviceWallet environment={{ ...environment, balances }} />)
  await expect.element(page.getByText('Everyday', { exact: true })).toBeVisible()
  await expect.element(page.getByText(/^We could not read your balances\./)).toBeVisible()
  await button('Try again').click()
  await expect.element(page.getByText('25 hash')).toBeVisible()
})

test('2.8 a site that cannot be verified is labeled as such, and disconnecting needs a confirmation', async () => {
  const { environment } = await open({
    ...EXISTING,
    sites: [
      {
        id: 'scanned',
        origin: undefined,
        claimedName: 'Lender \u202erednel',
        claimedUrl: 'https://claimed.example',
        acting: { account: { name: 'Everyday', address: 'tp1' }, group: null },
        connectedAt: 0,
        expiresAt: 1,
      },
    ],
  })
  await button('Sites').click()
  await expect.element(page.getByText('Lender \\u{202e}rednel')).toBeVisible()
  await expect.element(page.getByText(/^It claims to be/)).toBeVisible()
  await page.getByRole('button', { name: /^Disconnect Lender/ }).click()
  await expect.element(heading('Disconnect this site?')).toHaveFocus()
  expect(environment.requests.sites()).toHaveLength(1)
  await button('Disconnect').click()
  await expect.element(page.getByText(/^No site is connected\./)).toBeVisible()
})

test('2.8 the passphrase is changed only with the current one', async () => {
  const device = await open(EXISTING)
  await button('Settings').click()
  await button('Change your passphrase').click()
  const next = 'marble kettle outpost seven'
  await field('Current passphrase').fill('wrong')
  // Counted as the keeper of the vault counts them: five characters.
  await field('New passphrase').fill('🔑🪁🧭🪵🫖')
  await button('Change').click()
  await expect
    .element(field('New passphrase'))
    .toHaveAccessibleDescription('Please enter a passphrase of at least 10 characters.')
  await field('New passphrase').fill('password12')
  await field('New passphrase again').fill('password12')
  await button('Change').click()
  await expect
    .element(field('New passphrase'))
    .toHaveAccessibleDescription('Please choose a stronger passphrase.')
  await field('New passphrase').fill(next)
  await field('New passphrase again').fill('other')
  await button('Change').click()
  await expect
    .element(field('New passphrase again'))
    .toHaveAccessibleDescription('The two passphrases do not match.')
  await field('New passphrase again').fill(next)
  await button('Change').click()
  await expect
    .element(field('Current passphrase'))
    .toHaveAccessibleDescription('This is not the passphrase of this wallet.')
  expect(device.vault()?.passphrase).toBe(PASSPHRASE)
  await field('Current passphrase').fill(PASSPHRASE)
  await button('Change').click()
  await expect.element(heading('Passphrase changed')).toHaveFocus()
  expect(device.vault()?.passphrase).toBe(next)
})

test('2.8 the recovery words are shown after the passphrase, and copied only after a warning', async () => {
  await page.viewport(360, 600)
  const { environment } = fakeDevice(EXISTING)
  const copy = vi.fn<(text: string) => Promise<boolean>>().mockResolvedValue(true)
  await render(<DeviceWallet environment={{ ...environment, copy }} />)
  await button('Settings').click()
  await button('Show your recovery words').click()
  await field('Passphrase').fill('wrong')
  await button('Show words').click()
  await expect
    .element(field('Passphrase'))
    .toHaveAccessibleDescription('This is not the passphrase of this wallet.')
  expect(shownItems()).toEqual([])
  await field('Passphrase').fill(PASSPHRASE)
  await button('Show words').click()
  await expect.poll(shownItems).toEqual(WORDS.split(' '))
  await button('Copy the words').click()
  expect(copy).not.toHaveBeenCalled()
  await button('Copy anyway').click()
  expect(copy).toHaveBeenCalledWith(WORDS)
})

test('2.8 the idle time and the passkey are changed in the settings', async () => {
  const { environment } = await open(EXISTING)
  const vault = () => environment.keeper.vault()
  await button('Settings').click()
  await expect.element(page.getByText('After 15 minutes without input')).toBeVisible()
  await page.getByRole('button', { name: /^Lock automatically/ }).click()
  const choices = page.getByRole('radio').elements() as HTMLInputElement[]
  expect(choices.map(({ value, checked }) => [value, checked])).toEqual([
    ['1', false],
    ['5', false],
    ['15', true],
    ['30', false],
    ['60', false],
  ])
  await page.getByRole('radio', { name: '1 minute', exact: true }).click()
  await button('Done').click()
  await expect.element(page.getByText('After 1 minute without input')).toBeVisible()
  await page.getByRole('button', { name: /^Passkey/ }).click()
  await field('Passphrase').fill(PASSPHRASE)
  await button('Add passkey').click()
  await page.getByRole('button', { name: /^Passkey/ }).click()
  expect(await vault()).toMatchObject({ hasPasskey: true, idleMinutes: 1 })
  await button('Remove passkey').click()
  await expect.poll(vault).toMatchObject({ hasPasskey: false })
  await button('Lock').click()
  await expect.element(heading('Unlock your wallet')).toBeVisible()
})

const PAYMENT: HistoryEntry = {
  id: '1',
  at: Date.UTC(2026, 10, 23, 12),
  origin: undefined,
  acting: { account: { name: 'Everyday', address: 'tp1' }, group: null },
  effect: 'Send 25 hash to \u2067Larch',
  decision: { kind: 'send', how: 'failed' },
  txhash: 'C0FFEE'.repeat(10),
}

test('2.8 the activity shows what was decided, the unverified origin, the time and the transaction', async () => {
  await open({ ...EXISTING, history: [PAYMENT] })
  await button('Activity').click()
  await expect.element(page.getByText('Send 25 hash to \\u{2067}Larch')).toBeVisible()
  await expect.element(page.getByText('The network did not accept it')).toBeVisible()
  await expect.element(page.getByText('An unknown page')).toBeVisible()
  await expect.element(page.getByText(/2026/)).toBeVisible()
  await expect.element(button('Copy the transaction hash')).toBeVisible()
})

test('2.8 the activity is read again until the outcome of a payment is known', async () => {
  await page.viewport(360, 600)
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const { environment } = fakeDevice(EXISTING)
  let how: 'unknown' | 'agreed' = 'unknown'
  const history = async () => [{ ...PAYMENT, decision: { kind: 'send' as const, how } }]
  await render(
    <DeviceWallet environment={{ ...environment, keeper: { ...environment.keeper, history } }} />,
  )
  await expect.element(page.getByText('Everyday', { exact: true })).toBeVisible()
  const timersBefore = vi.getTimerCount()
  await button('Activity').click()
  await expect.element(page.getByText('Was it sent?')).toBeVisible()
  await expect.poll(() => vi.getTimerCount()).toBe(timersBefore + 1)
  how = 'agreed'
  vi.advanceTimersByTime(5000)
  await expect.element(page.getByText('Sent to the network')).toBeVisible()
  await expect.poll(() => vi.getTimerCount()).toBe(timersBefore)
})

test('2.8 a tab of the shell can be shown first, and opening a tab again returns to its start', async () => {
  await page.viewport(360, 600)
  const scan = { name: 'scan', label: 'Scan', icon: 'scan', content: <p>Camera</p> } as const
  await render(
    <DeviceWallet
      environment={fakeDevice(EXISTING).environment}
      tabs={['accounts', scan, 'settings']}
      firstTab="scan"
    />,
  )
  await expect.element(page.getByText('Camera')).toBeVisible()
  await button('Accounts').click()
  await expect.element(heading('Your accounts')).toHaveFocus()
  await button('Settings').click()
  await button('Connected sites').click()
  await expect.element(heading('Connected sites')).toHaveFocus()
  await button('Back to the settings').click()
  await expect.element(heading('Settings')).toHaveFocus()
  await button('Connected sites').click()
  await button('Settings').click()
  await expect.element(heading('Settings')).toHaveFocus()
})

test('2.8 a damaged vault is explained, and removed only after typing a word; then it is restored', async () => {
  const device = await open({ ...EXISTING, damaged: 'vault' })
  await expect.element(heading('Your wallet is damaged')).toHaveFocus()
  await expect.element(page.getByText(/Nothing was deleted\./)).toBeVisible()
  await button('Try again').click()
  await expect.element(heading('Your wallet is damaged')).toHaveFocus()
  await button('Restore it').click()
  await expect.element(heading('Remove the damaged wallet?')).toHaveFocus()
  await button('Remove wallet').click()
  await expect
    .element(field('Type REMOVE to confirm'))
    .toHaveAccessibleDescription('Please type REMOVE to confirm.')
  expect(device.vault()).toBeDefined()
  await button('Back').click()
  await expect.element(heading('Your wallet is damaged')).toHaveFocus()
  await button('Restore it').click()
  await field('Type REMOVE to confirm').fill('REMOVE')
  await button('Remove wallet').click()
  await expect.element(heading('Set up your wallet')).toHaveFocus()
  expect(device.vault()).toBeUndefined()
})

test('2.8 a vault of a newer version asks for the update, and its removal is never an action of that screen', async () => {
  const device = await open({ ...EXISTING, isFromNewerVersion: true })
  await expect.element(heading('Update your wallet')).toHaveFocus()
  await expect.element(page.getByText(/Nothing was deleted\./)).toBeVisible()
  await button('Try again').click()
  await expect.element(heading('Update your wallet')).toHaveFocus()
  expect(page.getByRole('button', { name: /remove|restore/i }).elements()).toEqual([])
  await button('I cannot update the wallet').click()
  await expect.element(heading('Remove the wallet?')).toHaveFocus()
  await button('Back').click()
  await expect.element(heading('Update your wallet')).toHaveFocus()
  expect(device.vault()).toBeDefined()
})

test('2.8 a vault with unreadable content is found when it is unlocked, and stays until it is removed', async () => {
  const device = await open({ ...EXISTING, isLocked: true, damaged: 'content' })
  await field('Passphrase').fill(PASSPHRASE)
  await button('Unlock').click()
  await expect.element(heading('Your wallet is damaged')).toHaveFocus()
  expect(device.vault()).toBeDefined()
  await button('Try again').click()
  await expect.element(heading('Unlock your wallet')).toBeVisible()
})

test('2.8 if the storage is full, the words stay, and the wallet is created as soon as there is room', async () => {
  await page.viewport(360, 600)
  const { environment } = fakeDevice()
  const createVault = vi
    .fn<typeof environment.keeper.createVault>(environment.keeper.createVault)
    .mockRejectedValueOnce(new Refusal('storage-unavailable'))
  await render(
    <DeviceWallet
      environment={{ ...environment, keeper: { ...environment.keeper, createVault } }}
    />,
  )
  await button('Restore from recovery words').click()
  await field('Recovery words').fill(WORDS)
  await button('Continue').click()
  await choosePassphrase('Restore')
  await expect
    .element(page.getByText('or free up storage on the device', { exact: false }))
    .toBeVisible()
  await button('Restore').click()
  await expect.element(heading('Your accounts')).toHaveFocus()
  expect(createVault.mock.calls.map(([{ words }]) => words)).toEqual([WORDS, WORDS])
})

test('2.6 accounts and history are read without arguments, which the extension’s worker would reject', async () => {
  await page.viewport(360, 600)
  const { environment } = fakeDevice(EXISTING)
  const { keeper } = environment
  const accounts = vi.fn<typeof keeper.accounts>(keeper.accounts)
  const history = vi.fn<typeof keeper.history>(keeper.history)
  await render(
    <DeviceWallet environment={{ ...environment, keeper: { ...keeper, accounts, history } }} />,
  )
  await expect.element(page.getByText('Everyday', { exact: true })).toBeVisible()
  await button('Activity').click()
  await expect.element(page.getByText(/^Nothing yet\./)).toBeVisible()
  expect([...accounts.mock.calls, ...history.mock.calls].flat()).toEqual([])
})
