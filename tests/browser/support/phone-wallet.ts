/** A wallet that is not ours to host, on a phone or in the browser: it takes the page's code and does what its person would. */
import { randomBytes } from 'node:crypto'
import type { Locator } from '@playwright/test'
import { privateKeyAt } from '@portico/keys/derivation'
import { NETWORKS } from '@portico/keys/networks'
import { seedOfWords } from '@portico/keys/words'
import { heldAccount, joinSession, type WalletSession } from '@portico/wallet-connect/wallet'
import jsQR from 'jsqr'

/** What the person at the phone does; everything is agreed to unless it says otherwise. */
interface PhonePerson {
  readonly connects?: boolean
  /** Answers one request to sign after another; the last one goes on. */
  readonly signs?: readonly boolean[]
}

/** A phone with one account. */
export interface Phone {
  readonly address: string
  /** Scans a code that the page shows. */
  readonly scan: (image: Locator, person?: PhonePerson) => Promise<WalletSession>
  /** Takes a code that the page hands over, as an extension does. */
  readonly take: (code: string, person?: PhonePerson) => Promise<WalletSession>
}

/** A phone whose account is restored from words, or new. */
export async function aPhone(words?: string): Promise<Phone> {
  const { testnet } = NETWORKS
  const key =
    words === undefined ? randomBytes(32) : privateKeyAt(await seedOfWords(words), testnet.path)
  const account = heldAccount(key, testnet, 'My phone')
  function take(code: string, { connects = true, signs = [true] }: PhonePerson = {}) {
    const answers = [...signs]
    return joinSession(code, {
      accounts: [account],
      broadcast: async () => ({ txhash: '', code: 0, rawLog: '' }),
      introduction: { name: 'Phone', description: '', url: '', icons: [] },
      chainId: testnet.chainId,
      issuer: 'provenance.io',
      person: {
        connect: async () => (connects ? { account, group: null } : undefined),
        sign: async () => (answers.length > 1 ? answers.shift() : answers[0]) ?? true,
        sendTransaction: async () => true,
        switchToGroup: async () => undefined,
      },
    })
  }
  return {
    address: account.address,
    take,
    scan: async (image, person) => take(await followed(await scanned(image)), person),
  }
}

/** What a camera reads from the picture, in exactly the size and with the margin in which the page shows it. */
export async function scanned(image: Locator): Promise<string> {
  const { size, pixels } = await image.evaluate(async (element) => {
    const shown = element as HTMLImageElement // It is found by its text for those who do not see it.
    await shown.decode()
    const margin = parseFloat(getComputedStyle(shown.parentElement ?? shown).paddingLeft)
    const { width } = shown.getBoundingClientRect()
    const whole = Math.round(width + 2 * margin)
    const canvas = Object.assign(document.createElement('canvas'), { width: whole, height: whole })
    const context = canvas.getContext('2d')
    if (context === null) throw new Error('This browser draws nothing')
    context.fillStyle = '#fff'
    context.fillRect(0, 0, whole, whole)
    context.drawImage(shown, margin, margin, width, width)
    return { size: whole, pixels: [...context.getImageData(0, 0, whole, whole).data] }
  })
  const code = jsQR(Uint8ClampedArray.from(pixels), size, size)
  if (code === null) throw new Error('No code can be read from the picture')
  return code.data
}

/** Where a scanned link leads: short ones redirect to the mobile wallet with the connection in its address. */
async function followed(link: string): Promise<string> {
  const { headers } = await fetch(link, { redirect: 'manual' })
  return new URL(headers.get('location') ?? link, link).href
}
