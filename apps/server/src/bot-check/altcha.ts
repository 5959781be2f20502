/**
 * The built-in bot check: a proof of work that the visitor's browser solves in the background, without a third party. The
 * challenge is signed, so verifying a solution is cheap; each solution is accepted once.
 */
import { parseJson } from '@portico/contracts/parse-json'
import { createChallenge, randomInt, verifySolution } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import type { Logger } from 'pino'
import * as z from 'zod/mini'
import { type Clock, isLive } from '../clock.ts'
import type { Vault } from '../secrets/vault.ts'
import type { Stores } from '../stores.ts'
import type { BotCheck } from './check.ts'

export interface AltchaDeps {
  readonly vault: Vault
  readonly stores: Pick<Stores, 'singleUse'>
  readonly clock: Clock
  readonly log: Logger
}

const LIFETIME_MS = 20 * 60 * 1000
/** PBKDF2 iterations per attempt, and how many attempts a solution takes: about half a second on a phone. */
const COST = 1000
const ATTEMPTS = { least: 300, most: 600 }
const MAX_TOKEN_LENGTH = 4096

const Payload = z.object({
  challenge: z.object({
    parameters: z.looseObject({
      algorithm: z.string(),
      nonce: z.string(),
      salt: z.string(),
      cost: z.literal(COST),
      keyLength: z.number(),
      keyPrefix: z.string(),
      expiresAt: z.number(),
    }),
    signature: z.string(),
  }),
  solution: z.object({ counter: z.number(), derivedKey: z.string() }),
})

export function altchaCheck({ vault, stores, clock, log }: AltchaDeps): BotCheck {
  const hmacSignatureSecret = vault.mac('bot check', 'challenge')
  const hmacKeySignatureSecret = vault.mac('bot check', 'key')
  return {
    page: { kind: 'altcha' },

    challenge: async () => ({
      ...(await createChallenge({
        algorithm: 'PBKDF2/SHA-256',
        cost: COST,
        counter: randomInt(ATTEMPTS.least, ATTEMPTS.most),
        expiresAt: Math.floor((clock() + LIFETIME_MS) / 1000),
        deriveKey,
        hmacSignatureSecret,
        hmacKeySignatureSecret,
      })),
    }),

    async verify(token) {
      const payload = parseSolution(token)
      if (payload === undefined) return false
      const { challenge, solution } = payload
      try {
        const { verified } = await verifySolution({
          challenge,
          solution: { ...solution, time: 0 },
          deriveKey,
          hmacSignatureSecret,
          hmacKeySignatureSecret,
        })
        if (!verified) return false
      } catch (error) {
        log.debug({ err: error }, 'malformed bot check solution')
        return false
      }
      const expiresAt = challenge.parameters.expiresAt * 1000
      return (
        isLive(expiresAt, LIFETIME_MS, clock()) &&
        stores.singleUse.consume(`altcha ${challenge.signature}`, expiresAt)
      )
    },
  }
}

function parseSolution(token: string | undefined): z.output<typeof Payload> | undefined {
  if (token === undefined || token.length > MAX_TOKEN_LENGTH) return undefined
  return Payload.safeParse(parseJson(Buffer.from(token, 'base64').toString())).data
}
