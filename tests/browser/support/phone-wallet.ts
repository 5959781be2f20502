/** A wallet that is not ours to host, on a phone or in the browser: it takes the page's code and does what its person would. */
import { randomBytes } from 'node:crypto'
import type { Locator } from '@playwright/test'
import { privateKeyAt } from '@portico/keys/derivation'
import { NETWORKS } from '@portico/keys/networks'
import { seedOfWords } from '@portico/keys/words'
import {
  accountFromPrivateKey,
  joinSession,
  type WalletSession,
} from '@portico/wallet-connect/wallet'
import jsQR from 'jsqr'

/** What the person at the phone does; everything is agreed to unless it says otherwise. */
interface PhonePerson {
  readonly connects?: boolean
  /** Connects as its own account, whatever the page requires. */
  readonly ignoresRequirements?: boolean
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
  const account = accountFromPrivateKey(key, testnet, 'My phone')
  function take(
    code: string,
    { connects = true, ignoresRequirements = false, signs = [true] }: PhonePerson = {},
  ) {
    const answers = [...signs]
    return joinSession(ignoresRequirements ? withoutRequirements(code) : code, {
      accounts: [account],
      broadcast: async () => ({ txhash: '', code: 0, rawLog: '' }),
      introduction: { name: 'Phone', description: '', url: '', icons: [] },
      chainId: testnet.chainId,
      issuer: 'provenance.io',
      approver: {
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

/** What a camera reads from the screen, with the margin in which the page shows the picture. */
export async function scanned(image: Locator): Promise<string> {
  await image.evaluate((element) => (element as HTMLImageElement).decode()) // Found by its alternative text.
  const shot = await image.locator('xpath=..').screenshot()
  const read = await image.evaluate(
    async (_, bytes) => {
      const bitmap = await createImageBitmap(new Blob([Uint8Array.from(bytes)]))
      const { width, height } = bitmap
      const context = new OffscreenCanvas(width, height).getContext('2d')
      if (context === null) throw new Error('This browser draws nothing')
      context.drawImage(bitmap, 0, 0)
      return { width, height, pixels: [...context.getImageData(0, 0, width, height).data] }
    },
    [...shot],
  )
  const code = jsQR(Uint8ClampedArray.from(read.pixels), read.width, read.height)
  if (code === null) throw new Error('No code can be read from the picture')
  return code.data
}

/** Where a scanned link leads: short ones redirect to the mobile wallet with the connection in its address. */
async function followed(link: string): Promise<string> {
  const { headers } = await fetch(link, { redirect: 'manual' })
  return new URL(headers.get('location') ?? link, link).href
}

/** The code without the account that the page asks for, which a wallet is free to ignore. */
function withoutRequirements(link: string): string {
  const uri = new URL(link).searchParams.get('data') ?? link
  return uri.replaceAll(/&(?:individualAddress|groupAddress|prohibitGroups)=[^&]*/g, '')
}
