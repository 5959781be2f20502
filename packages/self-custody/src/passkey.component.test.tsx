import { openChain } from '@portico/chain-client/chain'
import { NETWORKS } from '@portico/keys/networks'
import { memoryStore } from '@portico/wallet-kit/memory-store'
import { afterEach, expect, test } from 'vitest'
import { cdp } from 'vitest/browser'
import { openDeviceKeyKeeper } from './device-key-keeper.ts'
import { browserPasskeys } from './passkey.ts'
import { memoryKeyStore } from './unlocked-key.ts'

const PASSPHRASE = 'correct horse battery'
const WORDS =
  'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about'

/** The commands of the browser's virtual authenticator, which the test library does not declare. */
interface Debugger {
  send(method: string, parameters?: object): Promise<{ authenticatorId?: string }>
}

const browser = () => cdp() as unknown as Debugger
let authenticatorId: string | undefined

async function authenticator(options: { readonly hasPrf: boolean }) {
  await browser().send('WebAuthn.enable')
  const added = await browser().send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      ctap2Version: 'ctap2_1',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
      ...options,
    },
  })
  authenticatorId = added.authenticatorId
}

afterEach(async () => {
  await browser().send('WebAuthn.removeVirtualAuthenticator', { authenticatorId })
  await browser().send('WebAuthn.disable')
})

async function aWallet() {
  const wallet = openDeviceKeyKeeper({
    store: memoryStore(),
    unlockedKeyStore: memoryKeyStore(),
    chain: openChain(undefined),
    network: NETWORKS.testnet,
    issuer: 'portico.example',
    passkeys: browserPasskeys({
      relyingParty: { id: location.hostname, name: 'Portico' },
      userName: 'Wallet',
    }),
  })
  await wallet.createVault({ words: WORDS, passphrase: PASSPHRASE, accountName: 'Savings' })
  return wallet
}

test('a passkey of the browser unlocks the vault, and the passphrase still does', async () => {
  await authenticator({ hasPrf: true })
  const wallet = await aWallet()
  await wallet.addPasskey(PASSPHRASE)
  await wallet.lock()
  expect(await wallet.vault()).toEqual({ step: 'locked', hasPasskey: true, retryAt: null })
  await wallet.unlock('passkey')
  expect(await wallet.accounts()).toMatchObject([{ name: 'Savings' }])
  await wallet.lock()
  await wallet.unlock({ passphrase: PASSPHRASE })
  expect(await wallet.vault()).toMatchObject({ step: 'unlocked' })
})

test('an authenticator without PRF is refused, and nothing is stored', async () => {
  await authenticator({ hasPrf: false })
  const wallet = await aWallet()
  await expect(wallet.addPasskey(PASSPHRASE)).rejects.toMatchObject({ code: 'passkey-unsupported' })
  expect(await wallet.vault()).toMatchObject({ step: 'unlocked', hasPasskey: false })
})

test('a passkey that was deleted is refused, and the passphrase remains', async () => {
  await authenticator({ hasPrf: true })
  const wallet = await aWallet()
  await wallet.addPasskey(PASSPHRASE)
  await wallet.lock()
  await browser().send('WebAuthn.clearCredentials', { authenticatorId })
  await expect(wallet.unlock('passkey')).rejects.toMatchObject({ code: 'passkey-refused' })
  await wallet.unlock({ passphrase: PASSPHRASE })
  expect(await wallet.vault()).toMatchObject({ step: 'unlocked' })
})
