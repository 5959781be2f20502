import type { Migration } from 'kysely/migration'
import { frontDoor } from './migrations/0001-front-door.ts'

/** Forward migrations by name, in the order of their names. A migration that has shipped is never edited. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0001-front-door': frontDoor,
}
