import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { Payments } from './payments.tsx'
import type { Operation } from './wallet-card.flow.ts'

const ACCOUNT = 'tp1knsxfnn0lq48mmnkfnkgtkk8qnxxdu0y2tklkh'
const OTHER = 'tp13dkh6lhe5zzfe4qwkl4fqyfmh58p35w5qaxwxy'
const MAINNET = 'pb18vgc2p3l3xz5meqgtl5qgagsgx83ymh0l4qjmj'

const transactionOf = (hash: string, sender: string, recipient: string, height: string) => ({
  height,
  txhash: hash,
  timestamp: '2026-11-23T02:00:00Z',
  tx: { body: {}, auth_info: { fee: { amount: [] } } },
  events: [
    {
      type: 'transfer',
      attributes: Object.entries({
        sender,
        recipient,
        amount: '5000000000nhash',
        msg_index: '0',
      }).map(([key, value]) => ({ key, value })),
    },
  ],
})

async function payments({ isOffline = false, signer = ACCOUNT } = {}) {
  const sent: Operation[] = []
  const node = { isOffline }
  await render(
    <Payments
      account={ACCOUNT}
      signer={{ address: signer, publicKey: '' }}
      chainNode={async (path) => {
        if (node.isOffline || path.includes('/auth/')) return { status: 503, content: undefined }
        if (path.includes('/balances/')) {
          return { status: 200, content: { balance: { denom: 'nhash', amount: '9000000000' } } }
        }
        const isSender = path.includes('transfer.sender')
        const [from, to] = isSender ? [ACCOUNT, OTHER] : [OTHER, ACCOUNT]
        const found = transactionOf(isSender ? 'AA' : 'BB', from, to, isSender ? '7' : '8')
        return { status: 200, content: { tx_responses: [found] } }
      }}
      reportError={(error) => {
        throw error
      }}
      busy={false}
      onSend={(payment) => sent.push(payment)}
    />,
  )
  return { sent, node }
}

const amount = page.getByRole('textbox', { name: 'Amount' })
const recipient = page.getByRole('textbox', { name: "Recipient's address" })
const memo = page.getByRole('textbox', { name: 'Memo (optional)' })
const send = page.getByRole('button', { name: 'Send' })

test('a payment is checked before the wallet is asked: amount, balance, address and network', async () => {
  const { sent } = await payments()
  await expect.element(page.getByText('In hash. You have 9 hash.')).toBeVisible()
  await amount.fill('10')
  await recipient.fill(MAINNET)
  await send.click()
  await expect.element(page.getByText('This is more than the account has.')).toBeVisible()
  await expect.element(page.getByText(/This address belongs to another network/)).toBeVisible()
  await expect.element(amount).toHaveFocus()
  await amount.fill('2.5')
  await recipient.fill(` ${OTHER.toUpperCase()} `)
  await memo.fill('ж'.repeat(129))
  await send.click()
  await expect.element(page.getByText(/This memo is too long/)).toBeVisible()
  expect(sent).toEqual([])
  await memo.fill('Rent')
  await send.click()
  expect(sent).toEqual([{ kind: 'send', recipient: OTHER, amount: '2500000000', memo: 'Rent' }])
})

test('9.3 the whole balance leaves nothing for the fee, so Max leaves it', async () => {
  const { sent } = await payments()
  await amount.fill('9')
  await recipient.fill(OTHER)
  await send.click()
  await expect.element(page.getByText(/leaves too little for the network fee/)).toBeVisible()
  await page.getByRole('button', { name: /^Max/ }).click()
  await expect.element(amount).toHaveValue('8.5809')
  await expect.element(page.getByText(/leaves too little/)).not.toBeInTheDocument()
  await send.click()
  expect(sent).toMatchObject([{ kind: 'send', amount: '8580900000' }])
})

test('9.3 a group sends its whole balance, because its member pays the fee', async () => {
  const { sent } = await payments({ signer: OTHER })
  await page.getByRole('button', { name: /^Max/ }).click()
  await expect.element(amount).toHaveValue('9')
  await recipient.fill(OTHER)
  await send.click()
  expect(sent).toMatchObject([{ kind: 'send', amount: '9000000000' }])
})

test('the latest payments are listed with their direction, each with a link', async () => {
  await payments()
  const links = page.getByRole('link')
  await expect.element(links.first()).toHaveTextContent('Received 5 hash from tp13d...axwxy')
  await expect.element(links.last()).toHaveTextContent('Sent 5 hash to tp13d...axwxy')
  await expect.element(links.last()).toHaveAttribute('href', '/dashboard/transactions/AA')
})

test('if the network does not respond, a payment can still be requested and the list reloaded', async () => {
  const { sent, node } = await payments({ isOffline: true })
  await expect.element(page.getByText('We could not load your payments')).toBeVisible()
  await amount.fill('10')
  await recipient.fill(OTHER)
  await send.click()
  expect(sent).toHaveLength(1)
  node.isOffline = false
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(page.getByText(/Received 5 hash/)).toBeVisible()
})
