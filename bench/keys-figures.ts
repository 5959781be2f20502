import { createHash, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { chromium } from '@playwright/test'
import * as tiny from 'tiny-secp256k1'
import { build } from 'vite'
import { BROWSER_SWITCHES, requireChromium } from '../tools/machine/chromium.ts'
import { type Figure, figure, perSecond } from './figure.ts'
import {
  accepted,
  KEY_TASKS,
  MESSAGE,
  PRIVATE_KEY,
  PUBLIC_KEY,
  rateOf,
  SIGNATURE,
} from './keys-tasks.ts'
import { measureAlternately } from './pairs.ts'

const FOR_MS = 1000

/** Signing and verifying with `packages/keys`, against JavaScript, WebAssembly and Node's library. */
export async function keysFigures(rounds: number): Promise<Figure[]> {
  return [...(await inNode(rounds)), ...(await inChromium(rounds))]
}

async function inNode(rounds: number): Promise<Figure[]> {
  const jwk = nativeKey()
  const privateKey = createPrivateKey({ key: jwk, format: 'jwk' })
  const publicKey = createPublicKey(privateKey)
  const native = { dsaEncoding: 'ieee-p1363' } as const
  const digest = () => createHash('sha256').update(MESSAGE).digest()
  const tasks = {
    ...KEY_TASKS,
    verifyTiny: () => accepted(tiny.verify(digest(), PUBLIC_KEY, SIGNATURE, true)),
    verifyNative: () =>
      accepted(verify('sha256', MESSAGE, { key: publicKey, ...native }, SIGNATURE)),
    signTiny: () => tiny.sign(digest(), PRIVATE_KEY),
    signNative: () => sign('sha256', MESSAGE, { key: privateKey, ...native }),
  }
  const rates = await measureAlternately(
    rounds,
    measures(tasks, async (name) => rateOf(tasks[name], FOR_MS)),
  )
  const lines = (verb: 'verify' | 'sign', name: string) =>
    (
      [
        ['plain @noble/curves', 'Noble'],
        ['tiny-secp256k1, WebAssembly', 'Tiny'],
        ['node:crypto with the key imported beforehand', 'Native'],
      ] as const
    ).map(([baseline, of]) =>
      figure({
        figure: `${name}; ${baseline}`,
        on: 'Node',
        ours: rates[`${verb}Ours`],
        baseline: rates[`${verb}${of}`],
        write: perSecond,
      }),
    )
  return [...lines('verify', 'Signatures verified'), ...lines('sign', 'Signatures made')]
}

/** Node's library does not accept a bare scalar, so the key includes its point. */
function nativeKey() {
  const point = tiny.pointFromScalar(PRIVATE_KEY, false)
  if (point === null) throw new Error('The benchmark key is invalid')
  const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map(text) as [string, string]
  return { kty: 'EC', crv: 'secp256k1', x, y, d: text(PRIVATE_KEY) }
}

async function inChromium(rounds: number): Promise<Figure[]> {
  const browser = await chromium.launch({
    executablePath: requireChromium(),
    args: BROWSER_SWITCHES,
  })
  try {
    const page = await browser.newPage()
    await page.addScriptTag({ content: await scriptForPage() })
    const rates = await measureAlternately(
      rounds,
      measures(KEY_TASKS, (name) =>
        page.evaluate<number>(`keys.rateOf(keys.KEY_TASKS.${name}, ${FOR_MS})`),
      ),
    )
    return [
      figure({
        figure: 'Signatures verified; plain @noble/curves',
        on: 'Chromium',
        ours: rates.verifyOurs,
        baseline: rates.verifyNoble,
        write: perSecond,
      }),
      figure({
        figure: 'Signatures made; plain @noble/curves',
        on: 'Chromium',
        ours: rates.signOurs,
        baseline: rates.signNoble,
        write: perSecond,
      }),
    ]
  } finally {
    await browser.close()
  }
}

/** One measurement per task, under the task's name. */
function measures<Name extends string>(
  tasks: Readonly<Record<Name, unknown>>,
  rate: (name: Name) => Promise<number>,
): Record<Name, () => Promise<number>> {
  const names = Object.keys(tasks) as Name[] // The record has only these keys.
  const entries = names.map((name) => [name, () => rate(name)] as const)
  return Object.fromEntries(entries) as Record<Name, () => Promise<number>>
}

/** The tasks bundled for a page, as the global `keys`. */
async function scriptForPage(): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    build: {
      write: false,
      lib: {
        entry: fileURLToPath(new URL('keys-tasks.ts', import.meta.url)),
        formats: ['iife'],
        name: 'keys',
      },
    },
  })
  const outputs = [built].flat().flatMap((each) => ('output' in each ? each.output : []))
  return outputs.map((each) => (each.type === 'chunk' ? each.code : '')).join('')
}
