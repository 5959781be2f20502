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
import { versions } from './migrations/0012-versions.ts'
import { installation } from './migrations/0013-installation.ts'
import { lockout } from './migrations/0014-lockout.ts'
import { credentials } from './migrations/0015-credentials.ts'
import { oneFormOfAddress } from './migrations/0015-one-form-of-address.ts'
import { hostedTransfers } from './migrations/0016-hosted-transfers.ts'
import { emailChanges } from './migrations/0017-email-changes.ts'

/** Forward migrations by name, applied in the order of their names. A released migration is never edited. */
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
  '0012-versions': versions,
  '0013-installation': installation,
  '0014-lockout': lockout,
  '0015-credentials': credentials,
  '0015-one-form-of-address': oneFormOfAddress,
  '0016-hosted-transfers': hostedTransfers,
  '0017-email-changes': emailChanges,
}
