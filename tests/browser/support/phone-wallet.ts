/** A self-custody wallet on a phone or in the browser: it reads the page's code, with scripted decisions. */
import { randomBytes } from 'node:crypto'
import type { Locator } from '@playwright/test'
import { privateKeyAt } from '@portico/keys/derivation'
import { seedOfWords } from '@portico/keys/mnemonic'
import { NETWORKS } from '@portico/keys/networks'
import { WalletError } from '@portico/wallet-connect/protocol'
import {
  accountFromPrivateKey,
  approvedAccount,
  joinSession,
  type WalletSession,
} from '@portico/wallet-connect/wallet'
import jsQR from 'jsqr'

/** The user's decisions; by default everything is approved. */
interface Decisions {
  readonly connects?: boolean
  /** Connects as its own account, whatever the page requires. */
  readonly ignoresRequirements?: boolean
  /** Decisions for successive signing requests; the last one repeats. */
  readonly signs?: readonly boolean[]
}

/** A phone with one account. */
export interface Phone {
  readonly address: string
  /** Scans the page's code. */
  readonly scan: (image: Locator, decisions?: Decisions) => Promise<WalletSession>
  /** Receives a code from the page, like an extension. */
  readonly join: (code: string, decisions?: Decisions) => Promise<WalletSession>
}

/** A phone with an account restored from words, or a new one. */
export async function aPhone(words?: string): Promise<Phone> {
  const { testnet } = NETWORKS
  const key =
    words === undefined ? randomBytes(32) : privateKeyAt(await seedOfWords(words), testnet.path)
  const account = accountFromPrivateKey(key, testnet, 'My phone')
  function join(
    code: string,
    { connects = true, ignoresRequirements = false, signs = [true] }: Decisions = {},
  ) {
    const answers = [...signs]
    return joinSession(ignoresRequirements ? withoutRequirements(code) : code, {
      accounts: [account],
      introduction: { name: 'Phone', description: '', url: '', icons: [] },
      chainId: testnet.chainId,
      approver: {
        async connect({ tokenLifetimeS: lifetimeS }) {
          if (!connects) throw declined()
          return approvedAccount({ account, group: null }, { issuer: 'provenance.io', lifetimeS })
        },
        async sign({ request }) {
          const agrees = (answers.length > 1 ? answers.shift() : answers[0]) ?? true
          if (!agrees) throw declined()
          return account.sign(request.bytes)
        },
        sendTransaction: async () => ({ txhash: '', code: 0, rawLog: '' }),
        switchToGroup: async () => Promise.reject(declined()),
      },
    })
  }
  return {
    address: account.address,
    join,
    scan: async (image, decisions) => join(await followed(await scanned(image)), decisions),
  }
}

const declined = () => new WalletError('rejected', 'The user declined the request.')

/** Decodes the code from a screenshot, including its margin. */
export async function scanned(image: Locator): Promise<string> {
  await image.evaluate((element) => (element as HTMLImageElement).decode()) // Found by its alt text.
  const shot = await image.locator('xpath=..').screenshot()
  const read = await image.evaluate(
    async (_, bytes) => {
      const bitmap = await createImageBitmap(new Blob([Uint8Array.from(bytes)]))
      const { width, height } = bitmap
      const context = new OffscreenCanvas(width, height).getContext('2d')
      if (context === null) throw new Error('This browser has no canvas')
      context.drawImage(bitmap, 0, 0)
      return { width, height, pixels: [...context.getImageData(0, 0, width, height).data] }
    },
    [...shot],
  )
  const code = jsQR(Uint8ClampedArray.from(read.pixels), read.width, read.height)
  if (code === null) throw new Error('No code can be read from the picture')
  return code.data
}

/** Follows a scanned link: short ones redirect to the mobile wallet with the connection in its URL. */
async function followed(link: string): Promise<string> {
  const { headers } = await fetch(link, { redirect: 'manual' })
  return new URL(headers.get('location') ?? link, link).href
}

/** The code without the required account, which a wallet may ignore. */
function withoutRequirements(link: string): string {
  const uri = new URL(link).searchParams.get('data') ?? link
  return uri.replaceAll(/&(?:individualAddress|groupAddress|prohibitGroups)=[^&]*/g, '')
}
