import type { SecurityOverview } from '@portico/contracts/account-security'
import type { Event } from './security.flow.ts'

export const inputs = [null] as const

/** An account with every setting in use. */
export const overview: SecurityOverview = {
  aliases: [
    { uuid: 'e', type: 'Email', value: 'ada@example.com', verified: true, auth: true },
    { uuid: 'p', type: 'Phone', value: '8005550142', verified: true, auth: true },
  ],
  emailFactorEnabled: true,
  totpEnabled: true,
  textsAvailable: true,
  questions: [{ uuid: 'q', question: 'What was the name of your first pet?' }],
  recoveryCodesLeft: 8,
  passkeys: [{ uuid: 'k', name: 'My phone', createdAt: 0, lastUsedAt: null }],
  providers: [{ uuid: 'i', name: 'Northgale ID', connectedAt: 0, manages: false }],
  sessions: [
    {
      uuid: 's',
      device: 'Chrome on Windows',
      network: '192.0.2.0/24',
      method: 'password',
      signedInAt: 0,
      current: true,
    },
    {
      uuid: 'o',
      device: 'Safari on iPhone',
      network: '198.51.100.0/24',
      method: 'passcode',
      signedInAt: 0,
      current: false,
    },
  ],
  events: [{ at: 0, kind: 'signed-in', network: '192.0.2.0/24' }],
  hasPassword: true,
  hasHostedWallets: false,
  confirmed: true,
  confirmWith: {
    change: ['password', 'passkey', 'totp', 'passcode'],
    payment: ['password', 'passkey', 'totp', 'passcode'],
  },
}

export const events: readonly Event[] = [
  { type: 'overviewRead', overview },
  { type: 'unreachable' },
  { type: 'retried' },
  { type: 'changeChosen', change: { kind: 'addTotp' } },
  { type: 'changed' },
  { type: 'changeClosed' },
  { type: 'signedOut' },
]
