import type { Migration } from 'kysely/migration'
import { baseline } from './migrations/0001-baseline.ts'

/** Forward migrations by name, applied in the order of their names. A released migration is never edited. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0001-baseline': baseline,
}
