import type { Migration } from 'kysely/migration'
import { frontDoor } from './migrations/0001-front-door.ts'
import { deviceNames } from './migrations/0002-device-names.ts'
import { secondFactors } from './migrations/0003-second-factors.ts'
import { wallets } from './migrations/0004-wallets.ts'
import { shortLinks } from './migrations/0005-short-links.ts'
import { sweeping } from './migrations/0006-sweeping.ts'
import { telemetry } from './migrations/0007-telemetry.ts'
import { experiments } from './migrations/0008-experiments.ts'
import { inquiries } from './migrations/0009-inquiries.ts'
import { chain } from './migrations/0010-chain.ts'
import { walletLock } from './migrations/0011-wallet-lock.ts'

/** Forward migrations by name, in the order of their names. A migration that has shipped is never edited. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0001-front-door': frontDoor,
  '0002-device-names': deviceNames,
  '0003-second-factors': secondFactors,
  '0004-wallets': wallets,
  '0005-short-links': shortLinks,
  '0006-sweeping': sweeping,
  '0007-telemetry': telemetry,
  '0008-experiments': experiments,
  '0009-inquiries': inquiries,
  '0010-chain': chain,
  '0011-wallet-lock': walletLock,
}
