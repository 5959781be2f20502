import type { SecurityOverview } from '@portico/contracts/account-security'
import { UNEXPECTED } from '@portico/shell/failure'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import type { Accounts } from '../accounts.ts'
import { HomeView, type HomeViewProps } from './home.tsx'

const SIGNER = {
  address: 'tp1olgaolga',
  name: 'Olga',
  type: 'FIGURE',
  authorizationType: 'Owner',
  verified: true,
} as const

const accounts: Accounts = {
  items: [{ account: { name: 'Olga', address: SIGNER.address }, authorizedWallets: [SIGNER] }],
  acting: { account: { name: 'Olga', address: SIGNER.address }, authorizedWallet: SIGNER },
}

const security: SecurityOverview = {
  aliases: [],
  emailFactorEnabled: false,
  totpEnabled: true,
  textsAvailable: true,
  questions: [],
  recoveryCodesLeft: 0,
  passkeys: [],
  providers: [],
  sessions: [],
  events: [],
  hasPassword: true,
  hasHostedWallets: false,
  confirmed: true,
  confirmWith: {
    change: ['password', 'totp', 'passcode'],
    payment: ['password', 'totp', 'passcode'],
  },
}

const nothing = () => undefined
const loaded = <Result,>(result: Result) => ({ result, failure: undefined, retry: nothing })
const loading = { result: undefined, failure: undefined, retry: nothing }

const show = (shown: Partial<HomeViewProps>) =>
  render(
    <HomeView
      accounts={loaded(accounts)}
      security={loaded(security)}
      passports={loaded([])}
      isConnected={false}
      {...shown}
    />,
  )

const next = page.getByRole('region', { name: /./ }).first()
const card = (name: string) => page.getByRole('region', { name })

test.each<[string, Partial<HomeViewProps>, string, string]>([
  [
    'no password',
    { security: loaded({ ...security, hasPassword: false }) },
    'Set a password',
    '/dashboard/security?change=password',
  ],
  [
    'no second step',
    { security: loaded({ ...security, totpEnabled: false }) },
    'Choose a second step',
    '/dashboard/security',
  ],
  [
    'no wallet',
    { accounts: loaded({ items: [], acting: undefined }) },
    'Get a wallet',
    '/auth/wallet/create-wallet?redirectUrl=%2Fdashboard',
  ],
  [
    'an unverified wallet',
    {
      accounts: loaded({
        items: [
          {
            account: { name: 'Olga', address: SIGNER.address },
            authorizedWallets: [{ ...SIGNER, verified: false }],
          },
        ],
        acting: undefined,
      }),
    },
    'Verify your wallet',
    `/auth/wallet?section=Verify&redirectUrl=%2Fdashboard&walletAddress=${SIGNER.address}`,
  ],
  [
    'a reviewer who needs more',
    {
      passports: loaded([
        {
          passportUuid: '6f0d9f5e-3b0c-4a7e-9c53-0d5f0a6f4f11',
          status: {
            kycStatus: 'IN_PROGRESS',
            attestationStatus: 'PENDING',
            attestationVerificationStatus: 'UNKNOWN_STATUS',
          },
          decisions: [{ at: 0, section: 'kyc', event: 'returned', reason: 'Your second name?' }],
        },
      ]),
    },
    'See what is missing',
    '/universal-passport/onboarding/6f0d9f5e-3b0c-4a7e-9c53-0d5f0a6f4f11/resume',
  ],
  [
    'a passport that was begun',
    {
      passports: loaded([
        {
          status: {
            kycStatus: 'IN_PROGRESS',
            attestationStatus: 'UNKNOWN_STATUS',
            attestationVerificationStatus: 'UNKNOWN_STATUS',
          },
        },
      ]),
    },
    'Continue',
    '/universal-passport',
  ],
])('with %s, the next card leads there', async (_, shown, name, href) => {
  await show(shown)
  await expect.element(next.getByRole('link', { name })).toHaveAttribute('href', href)
})

test('the passport card shows the message that belongs to its state', async () => {
  await show({
    passports: loaded([
      {
        status: {
          kycStatus: 'DENIED',
          attestationStatus: 'VALID',
          attestationVerificationStatus: 'IN_PROGRESS',
        },
        decisions: [
          { at: 0, section: 'kyc', event: 'denied', reason: 'The name does not match.' },
          {
            at: 1,
            section: 'attestation-verification',
            event: 'returned',
            reason: 'Please add a letter.',
          },
        ],
      },
    ]),
  })
  await expect.element(page.getByText('A reviewer needs more from you')).toBeVisible()
  await expect.element(page.getByText('Please add a letter.')).toBeVisible()
})

test('with nothing due, one line says so', async () => {
  await show({})
  await expect.element(page.getByText(/^You are all set/)).toBeVisible()
})

test('the next step waits for all facts, so that it does not change while it is read', async () => {
  await show({ accounts: loaded({ items: [], acting: undefined }), security: loading })
  await expect
    .element(page.getByRole('status', { name: 'Loading what is next' }))
    .toBeInTheDocument()
  await expect.element(page.getByRole('heading', { name: 'Get a wallet' })).not.toBeInTheDocument()
})

test('a card that fails does not affect the others, and reloads on its own', async () => {
  const retried: string[] = []
  const failed = (name: string) => ({
    result: undefined,
    failure: UNEXPECTED,
    retry: () => void retried.push(name),
  })
  await show({ accounts: failed('accounts') })
  await expect.element(card('Security').getByText('Protected by a second step')).toBeVisible()
  await expect.element(card('Wallet').getByText('We could not load this')).toBeVisible()
  await card('Wallet').getByRole('button', { name: 'Try again' }).click()
  expect(retried).toEqual(['accounts'])
  // Nothing is due according to the known facts.
  await expect.element(page.getByText(/We could not check what is next/)).toBeVisible()
})

test('2.7 the wallet card names the current account and whether a wallet is connected', async () => {
  const { rerender } = await show({ isConnected: true })
  const wallet = card('Wallet')
  await expect.element(wallet.getByText('tp1ol...aolga')).toBeVisible()
  await expect.element(wallet.getByText('Connected in this browser')).toBeVisible()
  await expect
    .element(wallet.getByRole('link', { name: 'Open your wallet' }))
    .toHaveAttribute('href', '/dashboard/wallet')
  await rerender(
    <HomeView
      accounts={loaded({ ...accounts, acting: undefined })}
      security={loaded(security)}
      passports={loaded([])}
      isConnected={false}
    />,
  )
  await expect.element(wallet.getByText(/You have one account\./)).toBeVisible()
})
