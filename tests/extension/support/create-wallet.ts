import { newPassphraseKey } from '@portico/self-custody/window-keeper'
import { type BrowserPage } from '../../support/browser-page.ts'
import { sendAsWindow } from './extension-browser.ts'

/** The passphrase of the wallets of `createWallet`. */
export const PASSPHRASE = 'granite lantern 47 orchard'

/** What the wallet's window derives from the passphrase. */
export const PASSPHRASE_KEY = await newPassphraseKey(PASSPHRASE)

/** Creates the extension's wallet from recovery words, by the call that one of its windows makes at the end of the setup. */
export async function createWallet(window: BrowserPage, words: string): Promise<void> {
  const vault = { words, passphraseKey: PASSPHRASE_KEY, accountName: 'Everyday' }
  await sendAsWindow(window, { keeper: 'createVault', args: [vault] })
}
